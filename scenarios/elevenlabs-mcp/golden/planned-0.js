const response_0 = await search_voice_library({ search_gender: user_variable_3.search_gender });
if (response_0.length === user_constant_0) {
  const response_1 = await text_to_speech({ text: user_variable_0, similarity_boost: 0.17 });
  const response_2 = await speech_to_speech({ input_speech: response_1, voice_name: response_0[3].voice_name });
  const response_3 = await search_voice_library({ search_category: response_0[0].category });
  await make_outbound_call({ input_speech: response_1, voice_name: response_3[0].voice_name, to_number: user_variable_4.to_number });
  RESULT = { converted: response_2 };
} else {
  const response_4 = await speech_to_text({ input_speech: user_variable_1 });
  const response_5 = await speech_to_text({ input_speech: user_variable_2 });
  const response_6 = await text_to_speech({ text: response_5.text, voice_name: response_0[1].voice_name, similarity_boost: 0.9199999999999999 });
  const response_7 = await search_voice_library({ search_name: response_6.voice_name });
  RESULT = { transcript: response_4, voices: response_7 };
}
