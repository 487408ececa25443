const response_0 = await search_voice_library({ search_category: 'news', search_gender: user_variable_3.search_gender });
if (response_0.length === user_constant_0) {
  const response_1 = await text_to_speech({ text: user_variable_0, voice_name: response_0[2].voice_name });
  const response_2 = await speech_to_speech({ input_speech: response_1, voice_name: response_0[0].voice_name });
  await make_outbound_call({ input_speech: response_2, to_number: user_variable_4.to_number, voice_name: response_0[2].voice_name });
  const response_3 = await search_voice_library({ search_name: response_1.voice_name });
  RESULT = { voices: response_3 };
} else {
  const response_4 = await search_voice_library({ search_gender: user_variable_3.search_gender });
  const response_5 = await isolate_audio({ input_speech: user_variable_1 });
  const response_6 = await speech_to_speech({ input_speech: response_5, voice_name: response_4[3].voice_name });
  const response_7 = await speech_to_text({ diarize: true, input_speech: response_6 });
  RESULT = { voices: response_0, transcript: response_7 };
}
