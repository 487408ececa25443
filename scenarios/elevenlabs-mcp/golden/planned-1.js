await make_outbound_call({ input_speech: user_variable_2, voice_name: 'Hanna', to_number: user_variable_4.to_number });
const response_0 = await isolate_audio({ input_speech: user_variable_2 });
if (response_0.duration === user_constant_0) {
  const response_1 = await search_voice_library({ search_gender: user_variable_3.search_gender });
  const response_2 = await text_to_speech({ text: user_variable_1, voice_name: response_1[1].voice_name });
  await make_outbound_call({ input_speech: response_2, voice_name: response_1[2].voice_name, to_number: user_variable_4.to_number });
  RESULT = { speech: response_2 };
} else {
  const response_3 = await speech_to_text({ input_speech: response_0 });
  const response_4 = await search_voice_library({ search_category: user_variable_3.search_category });
  const response_5 = await search_voice_library({ search_gender: response_4[0].gender });
  RESULT = { transcript: response_3, voices: response_5 };
}
