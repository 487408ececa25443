response_0 = search_voice_library(search_category="meditation", search_gender=user_variable_3["search_gender"])
if len(response_0) == user_constant_0:
    response_1 = speech_to_text(diarize=True, input_speech=user_variable_1)
    response_2 = speech_to_text(diarize=True, input_speech=user_variable_2)
    response_3 = search_voice_library(search_category="conversational")
    response_4 = isolate_audio(input_speech=user_variable_2)
    RESULT = {"voices_1": response_0, "transcript_1": response_1, "transcript_2": response_2, "voices_2": response_3, "isolated": response_4}
else:
    response_5 = text_to_speech(stability=0.58, text=user_variable_0, voice_name=response_0[1]["voice_name"])
    response_6 = speech_to_speech(input_speech=response_5, voice_name=response_0[2]["voice_name"])
    response_7 = isolate_audio(input_speech=user_variable_1)
    response_8 = isolate_audio(input_speech=user_variable_2)
    RESULT = {"converted": response_6, "isolated_1": response_7, "isolated_2": response_8}
