make_outbound_call(input_speech=user_variable_2, to_number=user_variable_4["to_number"], voice_name="Pascal")
response_0 = speech_to_speech(input_speech=user_variable_2, voice_name="Thea")
response_1 = speech_to_speech(input_speech=response_0, voice_name="Adelheid")
response_2 = text_to_speech(stability=0.57, text=user_variable_0)
make_outbound_call(input_speech=response_2, to_number=user_variable_4["to_number"], voice_name=response_0["voice_name"])
RESULT = {"converted": response_1}
