response_0 = text_to_speech(text=user_variable_0, voice_name="Rosalie", stability=0.15)
response_1 = speech_to_text(input_speech=response_0)
response_2 = speech_to_speech(input_speech=response_0, voice_name="Beatrix")
make_outbound_call(input_speech=response_2, voice_name=response_0["voice_name"], to_number=user_variable_4["to_number"])
response_3 = text_to_speech(text=response_1["text"], voice_name=response_2["voice_name"], similarity_boost=0.96)
RESULT = {"speech": response_3}
