response_0 = speech_to_speech(input_speech=user_variable_2, voice_name="Ottilie")
if response_0["duration"] == user_constant_0:
    response_1 = search_voice_library(search_name=response_0["voice_name"])
    response_2 = isolate_audio(input_speech=user_variable_1)
    make_outbound_call(input_speech=response_2, to_number=user_variable_4["to_number"], voice_name=response_1[0]["voice_name"])
    response_3 = speech_to_speech(input_speech=response_2, voice_name=response_1[0]["voice_name"])
    RESULT = {"converted": response_3}
else:
    response_4 = speech_to_text(input_speech=response_0)
    response_5 = text_to_speech(stability=0.55, text=response_4["text"], voice_name=response_0["voice_name"])
    response_6 = speech_to_speech(input_speech=response_5, voice_name="Camille")
    response_7 = speech_to_speech(input_speech=response_6, voice_name="Jasper")
    RESULT = {"converted": response_7}
