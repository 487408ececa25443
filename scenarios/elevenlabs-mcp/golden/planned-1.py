response_0 = search_voice_library(search_category=user_variable_3["search_category"], search_gender=user_variable_3["search_gender"])
response_1 = text_to_speech(text=user_variable_1, voice_name=response_0[1]["voice_name"], similarity_boost=0.97)
if response_1["voice_name"] == user_constant_0:
    response_2 = isolate_audio(input_speech=user_variable_2)
    make_outbound_call(input_speech=response_2, voice_name=response_0[1]["voice_name"], to_number=user_variable_4["to_number"])
    response_3 = speech_to_text(input_speech=response_1, diarize=True)
    RESULT = {"transcript": response_3}
else:
    response_4 = search_voice_library(search_name=response_1["voice_name"])
    response_5 = speech_to_text(input_speech=user_variable_2)
    response_6 = search_voice_library(search_gender=user_variable_3["search_gender"])
    RESULT = {"voices_1": response_4, "transcript": response_5, "voices_2": response_6}
