response_0 = speech_to_speech(input_speech=user_variable_1, voice_name="Gustav")
if response_0["is_isolated"] == user_constant_0:
    response_1 = speech_to_text(input_speech=response_0)
    response_2 = isolate_audio(input_speech=response_0)
    response_3 = search_voice_library(search_name=response_2["voice_name"])
    response_4 = speech_to_speech(input_speech=response_0, voice_name="Dorian")
    RESULT = {"transcript": response_1, "voices": response_3, "converted": response_4}
else:
    response_5 = search_voice_library(search_name=response_0["voice_name"])
    response_6 = search_voice_library(search_gender=response_5[0]["gender"])
    response_7 = text_to_speech(text=user_variable_0, voice_name=response_6[0]["voice_name"], stability=0.16, similarity_boost=0.8400000000000001, style=0.42)
    response_8 = isolate_audio(input_speech=user_variable_1)
    RESULT = {"speech": response_7, "isolated": response_8}
