response_0 = speech_to_speech(input_speech=user_variable_2, voice_name="Mirabel")
response_1 = speech_to_speech(input_speech=response_0, voice_name="Adelheid")
if user_variable_2["is_isolated"] == user_constant_0:
    response_2 = text_to_speech(text=user_variable_1, voice_name=response_0["voice_name"])
    response_3 = speech_to_text(input_speech=response_2)
    response_4 = isolate_audio(input_speech=response_1)
    RESULT = {"transcript": response_3, "isolated": response_4}
else:
    response_5 = search_voice_library(search_name=response_0["voice_name"])
    response_6 = speech_to_speech(input_speech=response_1, voice_name="Anselm")
    response_7 = isolate_audio(input_speech=response_6)
    RESULT = {"voices": response_5, "isolated": response_7}
