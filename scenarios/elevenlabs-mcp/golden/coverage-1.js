const response_0 = await isolate_audio({ input_speech: user_variable_2 });
const response_1 = await search_voice_library({ search_category: 'news', search_gender: user_variable_3.search_gender });
if (response_1[0].voice_name === user_constant_0) {
  await make_outbound_call({ input_speech: response_0, voice_name: response_1[0].voice_name, to_number: user_variable_4.to_number });
  const response_2 = await speech_to_text({ input_speech: response_0 });
  const response_3 = await text_to_speech({ text: response_2.text, voice_name: response_1[1].voice_name, stability: 0.85, similarity_boost: 0.15 });
  RESULT = { speech: response_3 };
} else {
  const response_4 = await search_voice_library({ search_category: 'news' });
  const response_5 = await speech_to_text({ input_speech: user_variable_2 });
  const response_6 = await speech_to_speech({ input_speech: response_0, voice_name: response_4[0].voice_name });
  RESULT = { transcript: response_5, converted: response_6 };
}
