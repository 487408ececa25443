response_0 = search_voice_library(search_gender=user_variable_3["search_gender"])
if len(response_0) == user_constant_0:
    response_1 = text_to_speech(text=user_variable_0, similarity_boost=0.17)
    response_2 = speech_to_speech(input_speech=response_1, voice_name=response_0[3]["voice_name"])
    response_3 = search_voice_library(search_category=response_0[0]["category"])
    make_outbound_call(input_speech=response_1, voice_name=response_3[0]["voice_name"], to_number=user_variable_4["to_number"])
    RESULT = {"converted": response_2}
else:
    response_4 = speech_to_text(input_speech=user_variable_1)
    response_5 = speech_to_text(input_speech=user_variable_2)
    response_6 = text_to_speech(text=response_5["text"], voice_name=response_0[1]["voice_name"], similarity_boost=0.9199999999999999)
    response_7 = search_voice_library(search_name=response_6["voice_name"])
    RESULT = {"transcript": response_4, "voices": response_7}
