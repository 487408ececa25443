response_0 = speech_to_text(input_speech=user_variable_1, diarize=True)
if response_0["word_count"] == user_constant_0:
    make_outbound_call(input_speech=user_variable_1, voice_name="Fiona", to_number=user_variable_3["to_number"])
    response_1 = speech_to_speech(input_speech=user_variable_1, voice_name="Cosima")
    make_outbound_call(input_speech=response_1, voice_name="Lorenz", to_number=user_variable_3["to_number"])
    response_2 = text_to_speech(text=user_variable_0)
    RESULT = {"speech": response_2}
else:
    response_3 = speech_to_speech(input_speech=user_variable_1, voice_name="Edda")
    response_4 = text_to_speech(text=user_variable_0, voice_name=response_3["voice_name"])
    response_5 = speech_to_text(input_speech=response_4)
    response_6 = speech_to_text(input_speech=response_3)
    RESULT = {"transcript_1": response_5, "transcript_2": response_6}
