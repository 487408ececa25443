response_0 = speech_to_speech(input_speech=user_variable_2, voice_name="Jasper")
if response_0["duration"] == user_constant_0:
    response_1 = search_voice_library(search_category=user_variable_3["search_category"], search_gender=user_variable_3["search_gender"])
    response_2 = isolate_audio(input_speech=user_variable_1)
    make_outbound_call(input_speech=response_2, to_number=user_variable_4["to_number"], voice_name=response_1[0]["voice_name"])
    response_3 = speech_to_speech(input_speech=response_0, voice_name=response_1[2]["voice_name"])
    RESULT = {"converted": response_3}
else:
    response_4 = text_to_speech(similarity_boost=0.99, text=user_variable_0, voice_name="Anselm")
    make_outbound_call(input_speech=response_0, to_number=user_variable_4["to_number"], voice_name="Rosalie")
    response_5 = speech_to_text(diarize=True, input_speech=user_variable_1)
    response_6 = speech_to_speech(input_speech=response_4, voice_name="Silvan")
    RESULT = {"transcript": response_5, "converted": response_6}
