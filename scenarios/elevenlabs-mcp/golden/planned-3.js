const response_0 = await isolate_audio({ input_speech: user_variable_1 });
if (response_0.isolated === user_constant_0) {
  const response_1 = await search_voice_library({ search_category: user_variable_2.search_category, search_gender: user_variable_2.search_gender });
  const response_2 = await speech_to_speech({ input_speech: response_0, voice_name: response_1[0].voice_name });
  const response_3 = await speech_to_text({ input_speech: response_2 });
  await make_outbound_call({ input_speech: response_0, voice_name: response_1[0].voice_name, to_number: user_variable_3.to_number });
  RESULT = { transcript: response_3 };
} else {
  await make_outbound_call({ input_speech: response_0, voice_name: 'Cosima', to_number: user_variable_3.to_number });
  const response_4 = await text_to_speech({ text: user_variable_0, stability: 0.69, style: 0.3 });
  const response_5 = await speech_to_text({ input_speech: response_4 });
  const response_6 = await speech_to_speech({ input_speech: user_variable_1, voice_name: 'Edda' });
  RESULT = { transcript: response_5, converted: response_6 };
}
