response_0 = isolate_audio(input_speech=user_variable_1)
if response_0["duration"] == user_constant_0:
    response_1 = text_to_speech(text=user_variable_0, voice_name="Fiona", similarity_boost=0.29, style=0.59)
    response_2 = text_to_speech(text=user_variable_0, voice_name=response_1["voice_name"], stability=0.36)
    make_outbound_call(input_speech=response_2, voice_name="Ottilie", to_number=user_variable_3["to_number"])
    response_3 = speech_to_speech(input_speech=response_0, voice_name=response_2["voice_name"])
    RESULT = {"converted": response_3}
else:
    make_outbound_call(input_speech=response_0, voice_name="Fiona", to_number=user_variable_3["to_number"])
    make_outbound_call(input_speech=user_variable_1, voice_name="Edda", to_number=user_variable_3["to_number"])
    response_4 = speech_to_text(input_speech=response_0)
    response_5 = speech_to_text(input_speech=response_0, diarize=True)
    RESULT = {"transcript_1": response_4, "transcript_2": response_5}
