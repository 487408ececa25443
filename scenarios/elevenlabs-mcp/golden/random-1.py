response_0 = speech_to_speech(input_speech=user_variable_2, voice_name="Cosima")
response_1 = speech_to_text(input_speech=response_0)
if response_1["word_count"] == user_constant_0:
    response_2 = isolate_audio(input_speech=response_0)
    response_3 = search_voice_library(search_name=response_2["voice_name"])
    make_outbound_call(input_speech=response_0, voice_name="Fiona", to_number=user_variable_4["to_number"])
    RESULT = {"voices": response_3}
else:
    response_4 = text_to_speech(text=user_variable_1, voice_name=response_0["voice_name"])
    response_5 = text_to_speech(text=user_variable_1, voice_name=response_4["voice_name"], similarity_boost=0.37)
    response_6 = search_voice_library(search_name=response_5["voice_name"])
    RESULT = {"voices": response_6}
