make_outbound_call(input_speech=user_variable_2, to_number=user_variable_4["to_number"], voice_name="Lorenz")
if user_variable_2["is_isolated"] == user_constant_0:
    response_0 = isolate_audio(input_speech=user_variable_2)
    response_1 = search_voice_library(search_category="conversational")
    response_2 = speech_to_text(diarize=True, input_speech=response_0)
    make_outbound_call(input_speech=response_0, to_number=user_variable_4["to_number"], voice_name=response_1[1]["voice_name"])
    RESULT = {"transcript": response_2}
else:
    response_3 = speech_to_speech(input_speech=user_variable_2, voice_name="Dorian")
    response_4 = isolate_audio(input_speech=response_3)
    make_outbound_call(input_speech=response_4, to_number=user_variable_4["to_number"], voice_name="Cosima")
    response_5 = text_to_speech(text=user_variable_1, voice_name="Kaia")
    RESULT = {"speech": response_5}
