response_0 = search_voice_library(search_category="conversational", search_gender=user_variable_3["search_gender"])
make_outbound_call(input_speech=user_variable_2, voice_name=response_0[0]["voice_name"], to_number=user_variable_4["to_number"])
if len(response_0) == user_constant_0:
    response_1 = search_voice_library(search_category=user_variable_3["search_category"], search_gender=user_variable_3["search_gender"])
    response_2 = speech_to_text(input_speech=user_variable_2)
    response_3 = search_voice_library(search_category="news", search_gender=user_variable_3["search_gender"])
    RESULT = {"voices_1": response_1, "transcript": response_2, "voices_2": response_3}
else:
    response_4 = isolate_audio(input_speech=user_variable_2)
    response_5 = speech_to_text(input_speech=response_4)
    make_outbound_call(input_speech=response_4, voice_name="Hanna", to_number=user_variable_4["to_number"])
    RESULT = {"transcript": response_5}
