response_0 = speech_to_speech(input_speech=user_variable_2, voice_name="Camille")
if response_0["duration"] == user_constant_0:
    response_1 = speech_to_text(input_speech=response_0)
    response_2 = text_to_speech(text=response_1["text"], voice_name=response_0["voice_name"])
    response_3 = isolate_audio(input_speech=user_variable_1)
    response_4 = speech_to_speech(input_speech=response_3, voice_name=response_2["voice_name"])
    RESULT = {"converted": response_4}
else:
    response_5 = isolate_audio(input_speech=user_variable_1)
    make_outbound_call(input_speech=response_5, voice_name=response_0["voice_name"], to_number=user_variable_4["to_number"])
    response_6 = search_voice_library(search_category="news")
    response_7 = speech_to_speech(input_speech=response_0, voice_name=response_6[2]["voice_name"])
    RESULT = {"converted": response_7}
