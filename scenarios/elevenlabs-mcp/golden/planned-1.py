response_0 = speech_to_text(input_speech=user_variable_2)
response_1 = isolate_audio(input_speech=user_variable_2)
if response_1["duration"] == user_constant_0:
    response_2 = search_voice_library(search_category=user_variable_3["search_category"])
    make_outbound_call(input_speech=response_1, to_number=user_variable_4["to_number"], voice_name=response_2[0]["voice_name"])
    response_3 = speech_to_text(input_speech=response_1)
    RESULT = {"transcript_1": response_0, "transcript_2": response_3}
else:
    response_4 = speech_to_speech(input_speech=response_1, voice_name="Hanna")
    response_5 = speech_to_speech(input_speech=response_4, voice_name="Pascal")
    response_6 = search_voice_library(search_gender=user_variable_3["search_gender"])
    RESULT = {"transcript": response_0, "converted": response_5, "voices": response_6}
