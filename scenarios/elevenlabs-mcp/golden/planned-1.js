const response_0 = await search_voice_library({ search_category: 'conversational', search_gender: user_variable_3.search_gender });
await make_outbound_call({ input_speech: user_variable_2, voice_name: response_0[0].voice_name, to_number: user_variable_4.to_number });
if (response_0.length === user_constant_0) {
  const response_1 = await search_voice_library({ search_category: user_variable_3.search_category, search_gender: user_variable_3.search_gender });
  const response_2 = await speech_to_text({ input_speech: user_variable_2 });
  const response_3 = await search_voice_library({ search_category: 'news', search_gender: user_variable_3.search_gender });
  RESULT = { voices_1: response_1, transcript: response_2, voices_2: response_3 };
} else {
  const response_4 = await isolate_audio({ input_speech: user_variable_2 });
  const response_5 = await speech_to_text({ input_speech: response_4 });
  await make_outbound_call({ input_speech: response_4, voice_name: 'Hanna', to_number: user_variable_4.to_number });
  RESULT = { transcript: response_5 };
}
