response_0 = speech_to_speech(input_speech=user_variable_2, voice_name="Jasper")
if response_0["duration"] == user_constant_0:
    response_1 = search_voice_library(search_category=user_variable_3["search_category"], search_gender=user_variable_3["search_gender"])
    if len(response_1) == user_constant_1:
        response_2 = isolate_audio(input_speech=user_variable_1)
        make_outbound_call(input_speech=response_2, to_number=user_variable_4["to_number"], voice_name=response_1[0]["voice_name"])
        response_3 = speech_to_speech(input_speech=response_0, voice_name=response_1[2]["voice_name"])
        RESULT = {"converted": response_3}
    else:
        response_4 = speech_to_text(input_speech=user_variable_1)
        if response_4["word_count"] == user_constant_2:
            response_5 = isolate_audio(input_speech=user_variable_1)
            response_6 = search_voice_library(search_category="advertisement", search_gender=user_variable_3["search_gender"])
            RESULT = {"converted": response_0, "voices_1": response_1, "transcript": response_4, "isolated": response_5, "voices_2": response_6}
        else:
            make_outbound_call(input_speech=response_0, to_number=user_variable_4["to_number"], voice_name=response_1[0]["voice_name"])
            response_7 = speech_to_text(diarize=True, input_speech=response_0)
            RESULT = {"transcript_1": response_4, "transcript_2": response_7}
else:
    response_8 = isolate_audio(input_speech=user_variable_1)
    response_9 = text_to_speech(stability=0.66, style=0.88, text=user_variable_0, voice_name="Silvan")
    response_10 = search_voice_library(search_category="advertisement", search_gender=user_variable_3["search_gender"])
    response_11 = speech_to_speech(input_speech=response_9, voice_name=response_10[0]["voice_name"])
    RESULT = {"converted_1": response_0, "isolated": response_8, "converted_2": response_11}
