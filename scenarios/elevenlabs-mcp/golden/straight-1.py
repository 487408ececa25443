make_outbound_call(input_speech=user_variable_2, voice_name="Fiona", to_number=user_variable_4["to_number"])
response_0 = isolate_audio(input_speech=user_variable_2)
response_1 = search_voice_library(search_category=user_variable_3["search_category"])
make_outbound_call(input_speech=response_0, voice_name=response_1[1]["voice_name"], to_number=user_variable_4["to_number"])
response_2 = speech_to_speech(input_speech=response_0, voice_name=response_1[0]["voice_name"])
RESULT = {"converted": response_2}
