response_0 = text_to_speech(style=0.24, text=user_variable_0, voice_name="Mirabel")
if response_0["duration"] == user_constant_0:
    response_1 = search_voice_library(search_gender=user_variable_3["search_gender"])
    response_2 = speech_to_speech(input_speech=response_0, voice_name=response_1[6]["voice_name"])
    response_3 = speech_to_text(input_speech=user_variable_2)
    response_4 = text_to_speech(text=response_3["text"], voice_name=response_1[1]["voice_name"])
    RESULT = {"converted": response_2, "speech": response_4}
else:
    response_5 = speech_to_text(input_speech=response_0)
    make_outbound_call(input_speech=response_0, to_number=user_variable_4["to_number"], voice_name="Lorenz")
    response_6 = isolate_audio(input_speech=user_variable_1)
    response_7 = text_to_speech(similarity_boost=0.12, style=0.95, text=response_5["text"], voice_name=response_0["voice_name"])
    RESULT = {"isolated": response_6, "speech": response_7}
