const response_0 = await isolate_audio({ input_speech: user_variable_2 });
const response_1 = await text_to_speech({ text: user_variable_0, voice_name: 'Cosima', stability: 0.14 });
if (response_1.duration === user_constant_0) {
  const response_2 = await search_voice_library({ search_name: response_1.voice_name });
  await make_outbound_call({ input_speech: response_0, voice_name: response_2[0].voice_name, to_number: user_variable_4.to_number });
  const response_3 = await speech_to_speech({ input_speech: response_1, voice_name: 'Fiona' });
  RESULT = { converted: response_3 };
} else {
  await make_outbound_call({ input_speech: response_1, voice_name: 'Pascal', to_number: user_variable_4.to_number });
  const response_4 = await text_to_speech({ text: user_variable_1, voice_name: response_1.voice_name, similarity_boost: 0.5700000000000001, style: 0.27 });
  const response_5 = await text_to_speech({ text: user_variable_0, voice_name: response_4.voice_name });
  RESULT = { isolated: response_0, speech: response_5 };
}
