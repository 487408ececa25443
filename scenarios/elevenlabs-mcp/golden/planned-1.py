response_0 = text_to_speech(text=user_variable_1)
response_1 = text_to_speech(text=user_variable_0, voice_name="Adelheid")
if response_1["duration"] == user_constant_0:
    response_2 = search_voice_library(search_name=response_1["voice_name"])
    response_3 = search_voice_library(search_category=response_2[0]["category"])
    response_4 = text_to_speech(text=user_variable_0, voice_name=response_3[0]["voice_name"])
    RESULT = {"speech_1": response_0, "speech_2": response_4}
else:
    response_5 = speech_to_text(input_speech=response_1)
    make_outbound_call(input_speech=response_0, to_number=user_variable_4["to_number"])
    response_6 = search_voice_library(search_category="character")
    RESULT = {"transcript": response_5, "voices": response_6}
