response_0 = text_to_speech(text=user_variable_1)
make_outbound_call(input_speech=response_0, to_number=user_variable_4["to_number"], voice_name="Adelheid")
response_1 = isolate_audio(input_speech=user_variable_2)
response_2 = speech_to_speech(input_speech=response_1, voice_name="Cosima")
response_3 = text_to_speech(similarity_boost=0.35, text=user_variable_1, voice_name="Cosima")
RESULT = {"converted": response_2, "speech": response_3}
