response_0 = speech_to_speech(input_speech=user_variable_2, voice_name="Pascal")
response_1 = text_to_speech(text=user_variable_1, voice_name=response_0["voice_name"], similarity_boost=0.15)
if response_1["seconds"] == user_constant_0:
    response_2 = isolate_audio(input_speech=user_variable_2)
    response_3 = speech_to_speech(input_speech=response_2, voice_name=response_0["voice_name"])
    response_4 = isolate_audio(input_speech=response_0)
    RESULT = {"converted": response_3, "isolated": response_4}
else:
    response_5 = speech_to_text(input_speech=response_1, diarize=True)
    make_outbound_call(input_speech=response_1, voice_name=response_0["voice_name"], to_number=user_variable_4["to_number"])
    response_6 = search_voice_library(search_name=response_0["voice_name"])
    RESULT = {"transcript": response_5, "voices": response_6}
