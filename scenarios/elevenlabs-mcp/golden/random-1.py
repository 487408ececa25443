response_0 = text_to_speech(text=user_variable_1)
response_1 = text_to_speech(stability=0.91, style=0.65, text=user_variable_1, voice_name="Quirin")
if user_variable_2["duration"] == user_constant_0:
    response_2 = search_voice_library(search_category="character", search_gender=user_variable_3["search_gender"])
    response_3 = speech_to_text(input_speech=response_1)
    response_4 = isolate_audio(input_speech=user_variable_2)
    RESULT = {"speech": response_0, "voices": response_2, "transcript": response_3, "isolated": response_4}
else:
    response_5 = speech_to_text(diarize=True, input_speech=response_1)
    response_6 = text_to_speech(similarity_boost=0.44, style=0.74, text=user_variable_0, voice_name="Hanna")
    response_7 = search_voice_library(search_category=user_variable_3["search_category"], search_gender=user_variable_3["search_gender"])
    RESULT = {"speech_1": response_0, "transcript": response_5, "speech_2": response_6, "voices": response_7}
