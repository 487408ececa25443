const response_0 = await text_to_speech({ text: user_variable_1 });
const response_1 = await search_voice_library({ search_category: user_variable_3.search_category });
if (response_1[1].voice_name === user_constant_0) {
  const response_2 = await search_voice_library({ search_category: user_variable_3.search_category, search_gender: user_variable_3.search_gender });
  const response_3 = await speech_to_text({ input_speech: response_0 });
  const response_4 = await text_to_speech({ stability: 0.11, text: response_3.text, voice_name: response_2[2].voice_name });
  RESULT = { voices: response_1, speech: response_4 };
} else {
  await make_outbound_call({ input_speech: response_0, to_number: user_variable_4.to_number, voice_name: response_1[1].voice_name });
  const response_5 = await isolate_audio({ input_speech: user_variable_2 });
  const response_6 = await search_voice_library({ search_category: user_variable_3.search_category, search_gender: user_variable_3.search_gender });
  RESULT = { isolated: response_5, voices: response_6 };
}
