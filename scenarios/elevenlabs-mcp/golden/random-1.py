response_0 = text_to_speech(text=user_variable_1)
response_1 = text_to_speech(stability=0.91, style=0.65, text=user_variable_1, voice_name="Hanna")
if response_1["duration"] == user_constant_0:
    response_2 = search_voice_library(search_name=response_1["voice_name"])
    response_3 = text_to_speech(similarity_boost=0.14, text=user_variable_1, voice_name=response_2[0]["voice_name"])
    response_4 = speech_to_speech(input_speech=response_3, voice_name="Fiona")
    RESULT = {"speech": response_0, "converted": response_4}
else:
    response_5 = speech_to_text(diarize=True, input_speech=response_1)
    response_6 = text_to_speech(similarity_boost=0.44, style=0.74, text=user_variable_0, voice_name=response_1["voice_name"])
    response_7 = search_voice_library(search_name=response_6["voice_name"])
    RESULT = {"speech": response_0, "transcript": response_5, "voices": response_7}
