const response_0 = await speech_to_speech({ input_speech: user_variable_1, voice_name: 'Beatrix' });
if (response_0.duration === user_constant_0) {
  const response_1 = await speech_to_text({ input_speech: response_0 });
  const response_2 = await text_to_speech({ text: user_variable_0, similarity_boost: 0.22, style: 0.58 });
  await make_outbound_call({ input_speech: response_2, voice_name: response_0.voice_name, to_number: user_variable_4.to_number });
  const response_3 = await speech_to_speech({ input_speech: response_2, voice_name: response_0.voice_name });
  RESULT = { transcript: response_1, converted: response_3 };
} else {
  const response_4 = await isolate_audio({ input_speech: response_0 });
  const response_5 = await search_voice_library({ search_name: response_0.voice_name });
  const response_6 = await search_voice_library({ search_gender: response_5[0].gender });
  const response_7 = await speech_to_speech({ input_speech: response_4, voice_name: response_6[1].voice_name });
  RESULT = { converted: response_7 };
}
