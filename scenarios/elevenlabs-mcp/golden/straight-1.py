make_outbound_call(input_speech=user_variable_2, voice_name="Hanna", to_number=user_variable_4["to_number"])
response_0 = isolate_audio(input_speech=user_variable_2)
response_1 = speech_to_text(input_speech=response_0)
response_2 = search_voice_library(search_category=user_variable_3["search_category"], search_gender=user_variable_3["search_gender"])
make_outbound_call(input_speech=response_0, voice_name=response_2[1]["voice_name"], to_number=user_variable_4["to_number"])
RESULT = {"transcript": response_1}
