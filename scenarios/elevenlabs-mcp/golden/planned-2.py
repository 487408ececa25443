response_0 = speech_to_text(input_speech=user_variable_1)
if response_0["word_count"] == user_constant_0:
    make_outbound_call(input_speech=user_variable_1, voice_name="Gustav", to_number=user_variable_3["to_number"])
    response_1 = isolate_audio(input_speech=user_variable_1)
    response_2 = speech_to_text(input_speech=response_1)
    response_3 = speech_to_text(input_speech=user_variable_1, diarize=True)
    RESULT = {"transcript_1": response_2, "transcript_2": response_3}
else:
    response_4 = isolate_audio(input_speech=user_variable_1)
    response_5 = speech_to_speech(input_speech=response_4, voice_name="Pascal")
    response_6 = text_to_speech(text=user_variable_0, voice_name=response_5["voice_name"], similarity_boost=0.23)
    response_7 = text_to_speech(text=user_variable_0, voice_name=response_6["voice_name"], stability=0.32)
    RESULT = {"speech": response_7}
