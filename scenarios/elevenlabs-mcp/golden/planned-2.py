response_0 = text_to_speech(text=user_variable_0, voice_name="Dorian", similarity_boost=0.8200000000000001, style=0.06)
if response_0["duration"] == user_constant_0:
    response_1 = text_to_speech(text=user_variable_0, voice_name=response_0["voice_name"], stability=0.37)
    response_2 = search_voice_library(search_name=response_0["voice_name"])
    response_3 = speech_to_text(input_speech=response_1)
    response_4 = isolate_audio(input_speech=user_variable_1)
    RESULT = {"voices": response_2, "transcript": response_3, "isolated": response_4}
else:
    response_5 = speech_to_speech(input_speech=response_0, voice_name="Silvan")
    response_6 = search_voice_library(search_name=response_5["voice_name"])
    response_7 = isolate_audio(input_speech=user_variable_1)
    response_8 = text_to_speech(text=user_variable_0, voice_name=response_6[0]["voice_name"])
    RESULT = {"isolated": response_7, "speech": response_8}
