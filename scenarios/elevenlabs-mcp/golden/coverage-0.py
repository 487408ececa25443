response_0 = search_voice_library(search_category="news", search_gender=user_variable_3["search_gender"])
if len(response_0) == user_constant_0:
    response_1 = text_to_speech(text=user_variable_0, voice_name=response_0[2]["voice_name"])
    response_2 = speech_to_speech(input_speech=response_1, voice_name=response_0[0]["voice_name"])
    make_outbound_call(input_speech=response_2, to_number=user_variable_4["to_number"], voice_name=response_0[2]["voice_name"])
    response_3 = search_voice_library(search_name=response_1["voice_name"])
    RESULT = {"voices": response_3}
else:
    response_4 = search_voice_library(search_gender=user_variable_3["search_gender"])
    response_5 = isolate_audio(input_speech=user_variable_1)
    response_6 = speech_to_speech(input_speech=response_5, voice_name=response_4[3]["voice_name"])
    response_7 = speech_to_text(diarize=True, input_speech=response_6)
    RESULT = {"voices": response_0, "transcript": response_7}
