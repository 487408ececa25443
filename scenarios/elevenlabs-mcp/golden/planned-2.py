response_0 = speech_to_text(input_speech=user_variable_2)
if response_0["word_count"] == user_constant_0:
    response_1 = speech_to_text(diarize=True, input_speech=user_variable_2)
    response_2 = isolate_audio(input_speech=user_variable_2)
    response_3 = speech_to_speech(input_speech=response_2, voice_name="Ottilie")
    response_4 = speech_to_text(diarize=True, input_speech=response_3)
    RESULT = {"transcript_1": response_0, "transcript_2": response_1, "transcript_3": response_4}
else:
    make_outbound_call(input_speech=user_variable_2, to_number=user_variable_4["to_number"])
    response_5 = text_to_speech(similarity_boost=0.83, style=0.6, text=user_variable_0, voice_name="Jasper")
    response_6 = isolate_audio(input_speech=user_variable_2)
    response_7 = speech_to_text(diarize=True, input_speech=response_6)
    RESULT = {"transcript_1": response_0, "speech": response_5, "transcript_2": response_7}
