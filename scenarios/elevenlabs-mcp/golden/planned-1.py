response_0 = text_to_speech(text=user_variable_1)
response_1 = search_voice_library(search_category=user_variable_3["search_category"])
if response_1[1]["voice_name"] == user_constant_0:
    response_2 = search_voice_library(search_category=user_variable_3["search_category"], search_gender=user_variable_3["search_gender"])
    response_3 = speech_to_text(input_speech=response_0)
    response_4 = text_to_speech(stability=0.11, text=response_3["text"], voice_name=response_2[2]["voice_name"])
    RESULT = {"voices": response_1, "speech": response_4}
else:
    make_outbound_call(input_speech=response_0, to_number=user_variable_4["to_number"], voice_name=response_1[1]["voice_name"])
    response_5 = isolate_audio(input_speech=user_variable_2)
    response_6 = search_voice_library(search_category=user_variable_3["search_category"], search_gender=user_variable_3["search_gender"])
    RESULT = {"isolated": response_5, "voices": response_6}
