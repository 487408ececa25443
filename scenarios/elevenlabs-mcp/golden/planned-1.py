make_outbound_call(input_speech=user_variable_2, voice_name="Hanna", to_number=user_variable_4["to_number"])
response_0 = isolate_audio(input_speech=user_variable_2)
if response_0["duration"] == user_constant_0:
    response_1 = search_voice_library(search_gender=user_variable_3["search_gender"])
    response_2 = text_to_speech(text=user_variable_1, voice_name=response_1[1]["voice_name"])
    make_outbound_call(input_speech=response_2, voice_name=response_1[2]["voice_name"], to_number=user_variable_4["to_number"])
    RESULT = {"speech": response_2}
else:
    response_3 = speech_to_text(input_speech=response_0)
    response_4 = search_voice_library(search_category=user_variable_3["search_category"])
    response_5 = search_voice_library(search_gender=response_4[0]["gender"])
    RESULT = {"transcript": response_3, "voices": response_5}
