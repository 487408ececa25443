make_outbound_call(input_speech=user_variable_1, to_number=user_variable_4["to_number"], voice_name="Hanna")
if user_variable_2["duration"] == user_constant_0:
    response_0 = search_voice_library(search_category=user_variable_3["search_category"], search_gender=user_variable_3["search_gender"])
    response_1 = speech_to_speech(input_speech=user_variable_1, voice_name=response_0[1]["voice_name"])
    response_2 = isolate_audio(input_speech=response_1)
    response_3 = isolate_audio(input_speech=user_variable_1)
    RESULT = {"isolated_1": response_2, "isolated_2": response_3}
else:
    response_4 = speech_to_speech(input_speech=user_variable_1, voice_name="Jasper")
    response_5 = isolate_audio(input_speech=response_4)
    response_6 = text_to_speech(style=0.37, text=user_variable_0, voice_name="Adelheid")
    response_7 = text_to_speech(text=user_variable_0, voice_name="Adelheid")
    RESULT = {"isolated": response_5, "speech_1": response_6, "speech_2": response_7}
