response_0 = speech_to_speech(input_speech=user_variable_2, voice_name="Camille")
response_1 = speech_to_text(input_speech=response_0)
response_2 = text_to_speech(text=response_1["text"], voice_name=response_0["voice_name"])
response_3 = isolate_audio(input_speech=user_variable_1)
response_4 = speech_to_speech(input_speech=response_3, voice_name=response_2["voice_name"])
RESULT = {"converted": response_4}
