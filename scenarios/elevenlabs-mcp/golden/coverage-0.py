make_outbound_call(input_speech=user_variable_1, voice_name="Jasper", to_number=user_variable_4["to_number"])
if user_variable_2["duration"] == user_constant_0:
    response_0 = speech_to_text(input_speech=user_variable_2, diarize=True)
    response_1 = isolate_audio(input_speech=user_variable_1)
    response_2 = speech_to_speech(input_speech=response_1, voice_name="Mirabel")
    response_3 = speech_to_speech(input_speech=response_2, voice_name="Rosalie")
    RESULT = {"transcript": response_0, "converted": response_3}
else:
    response_4 = search_voice_library(search_category="advertisement", search_gender=user_variable_3["search_gender"])
    response_5 = speech_to_speech(input_speech=user_variable_2, voice_name=response_4[0]["voice_name"])
    response_6 = text_to_speech(text=user_variable_0, voice_name=response_4[0]["voice_name"])
    response_7 = speech_to_text(input_speech=response_6)
    RESULT = {"converted": response_5, "transcript": response_7}
