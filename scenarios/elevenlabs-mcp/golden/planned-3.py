make_outbound_call(input_speech=user_variable_1, voice_name="Edda", to_number=user_variable_3["to_number"])
if user_variable_1["is_isolated"] == user_constant_0:
    response_0 = search_voice_library(search_category="conversational", search_gender=user_variable_2["search_gender"])
    response_1 = isolate_audio(input_speech=user_variable_1)
    response_2 = text_to_speech(text=user_variable_0, style=0.87)
    response_3 = speech_to_speech(input_speech=response_2, voice_name=response_0[0]["voice_name"])
    RESULT = {"isolated": response_1, "converted": response_3}
else:
    response_4 = speech_to_text(input_speech=user_variable_1)
    response_5 = speech_to_speech(input_speech=user_variable_1, voice_name="Fiona")
    response_6 = speech_to_speech(input_speech=response_5, voice_name="Lorenz")
    make_outbound_call(input_speech=response_6, voice_name=response_5["voice_name"], to_number=user_variable_3["to_number"])
    RESULT = {"transcript": response_4}
