response_0 = text_to_speech(style=0.24, text=user_variable_0, voice_name="Mirabel")
response_1 = search_voice_library(search_gender=user_variable_3["search_gender"])
response_2 = speech_to_speech(input_speech=response_0, voice_name=response_1[6]["voice_name"])
response_3 = speech_to_text(input_speech=user_variable_2)
response_4 = text_to_speech(text=response_3["text"], voice_name=response_1[1]["voice_name"])
RESULT = {"converted": response_2, "speech": response_4}
