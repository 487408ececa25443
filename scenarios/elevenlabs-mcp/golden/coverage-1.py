response_0 = isolate_audio(input_speech=user_variable_2)
response_1 = search_voice_library(search_category="news", search_gender=user_variable_3["search_gender"])
if response_1[0]["voice_name"] == user_constant_0:
    make_outbound_call(input_speech=response_0, voice_name=response_1[0]["voice_name"], to_number=user_variable_4["to_number"])
    response_2 = speech_to_text(input_speech=response_0)
    response_3 = text_to_speech(text=response_2["text"], voice_name=response_1[1]["voice_name"], stability=0.85, similarity_boost=0.15)
    RESULT = {"speech": response_3}
else:
    response_4 = search_voice_library(search_category="news")
    response_5 = speech_to_text(input_speech=user_variable_2)
    response_6 = speech_to_speech(input_speech=response_0, voice_name=response_4[0]["voice_name"])
    RESULT = {"transcript": response_5, "converted": response_6}
