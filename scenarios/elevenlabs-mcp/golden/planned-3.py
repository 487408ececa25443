make_outbound_call(input_speech=user_variable_1, to_number=user_variable_3["to_number"], voice_name="Thea")
if user_variable_1["is_isolated"] == user_constant_0:
    response_0 = text_to_speech(text=user_variable_0, voice_name="Lorenz")
    response_1 = isolate_audio(input_speech=user_variable_1)
    response_2 = search_voice_library(search_category="conversational", search_gender=user_variable_2["search_gender"])
    make_outbound_call(input_speech=response_1, to_number=user_variable_3["to_number"], voice_name=response_2[0]["voice_name"])
    RESULT = {"speech": response_0}
else:
    response_3 = speech_to_text(input_speech=user_variable_1)
    response_4 = speech_to_text(diarize=True, input_speech=user_variable_1)
    response_5 = speech_to_speech(input_speech=user_variable_1, voice_name="Cosima")
    response_6 = text_to_speech(stability=0.67, text=user_variable_0, voice_name=response_5["voice_name"])
    RESULT = {"transcript_1": response_3, "transcript_2": response_4, "speech": response_6}
