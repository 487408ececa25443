response_0 = speech_to_speech(input_speech=user_variable_2, voice_name="Mirabel")
response_1 = text_to_speech(stability=0.84, style=0.22, text=user_variable_1, voice_name="Bruno")
if response_1["duration"] == user_constant_0:
    response_2 = isolate_audio(input_speech=response_0)
    response_3 = text_to_speech(similarity_boost=0.95, text=user_variable_1, voice_name="Cosima")
    response_4 = speech_to_text(diarize=True, input_speech=response_3)
    RESULT = {"speech": response_1, "isolated": response_2, "transcript": response_4}
else:
    response_5 = isolate_audio(input_speech=user_variable_2)
    response_6 = speech_to_text(input_speech=user_variable_2)
    make_outbound_call(input_speech=response_5, to_number=user_variable_4["to_number"], voice_name="Thea")
    RESULT = {"converted": response_0, "speech": response_1, "transcript": response_6}
