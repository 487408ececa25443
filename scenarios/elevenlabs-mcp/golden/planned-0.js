const response_0 = await speech_to_speech({ input_speech: user_variable_2, voice_name: 'Camille' });
if (response_0.duration === user_constant_0) {
  const response_1 = await speech_to_text({ input_speech: response_0 });
  const response_2 = await text_to_speech({ text: response_1.text, voice_name: response_0.voice_name });
  const response_3 = await isolate_audio({ input_speech: user_variable_1 });
  const response_4 = await speech_to_speech({ input_speech: response_3, voice_name: response_2.voice_name });
  RESULT = { converted: response_4 };
} else {
  const response_5 = await isolate_audio({ input_speech: user_variable_1 });
  await make_outbound_call({ input_speech: response_5, voice_name: response_0.voice_name, to_number: user_variable_4.to_number });
  const response_6 = await search_voice_library({ search_category: 'news' });
  const response_7 = await speech_to_speech({ input_speech: response_0, voice_name: response_6[2].voice_name });
  RESULT = { converted: response_7 };
}
