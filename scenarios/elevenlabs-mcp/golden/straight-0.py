response_0 = speech_to_speech(input_speech=user_variable_1, voice_name="Beatrix")
response_1 = speech_to_text(input_speech=response_0)
response_2 = text_to_speech(text=user_variable_0, similarity_boost=0.22, style=0.58)
make_outbound_call(input_speech=response_2, voice_name=response_0["voice_name"], to_number=user_variable_4["to_number"])
response_3 = speech_to_speech(input_speech=response_2, voice_name=response_0["voice_name"])
RESULT = {"transcript": response_1, "converted": response_3}
