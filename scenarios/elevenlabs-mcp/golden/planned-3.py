response_0 = isolate_audio(input_speech=user_variable_1)
if response_0["isolated"] == user_constant_0:
    response_1 = search_voice_library(search_category=user_variable_2["search_category"], search_gender=user_variable_2["search_gender"])
    response_2 = speech_to_speech(input_speech=response_0, voice_name=response_1[0]["voice_name"])
    response_3 = speech_to_text(input_speech=response_2)
    make_outbound_call(input_speech=response_0, voice_name=response_1[0]["voice_name"], to_number=user_variable_3["to_number"])
    RESULT = {"transcript": response_3}
else:
    make_outbound_call(input_speech=response_0, voice_name="Cosima", to_number=user_variable_3["to_number"])
    response_4 = text_to_speech(text=user_variable_0, stability=0.69, style=0.3)
    response_5 = speech_to_text(input_speech=response_4)
    response_6 = speech_to_speech(input_speech=user_variable_1, voice_name="Edda")
    RESULT = {"transcript": response_5, "converted": response_6}
