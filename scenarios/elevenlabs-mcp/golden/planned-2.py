response_0 = search_voice_library(search_gender=user_variable_2["search_gender"])
if len(response_0) == user_constant_0:
    response_1 = speech_to_text(diarize=True, input_speech=user_variable_1)
    response_2 = isolate_audio(input_speech=user_variable_1)
    response_3 = speech_to_text(input_speech=response_2)
    response_4 = search_voice_library(search_category="narration")
    RESULT = {"transcript_1": response_1, "transcript_2": response_3, "voices": response_4}
else:
    response_5 = speech_to_speech(input_speech=user_variable_1, voice_name=response_0[1]["voice_name"])
    make_outbound_call(input_speech=response_5, to_number=user_variable_3["to_number"], voice_name=response_0[4]["voice_name"])
    response_6 = isolate_audio(input_speech=response_5)
    response_7 = text_to_speech(text=user_variable_0, voice_name=response_6["voice_name"])
    RESULT = {"speech": response_7}
