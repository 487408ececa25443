await make_outbound_call({ input_speech: user_variable_2, to_number: user_variable_4.to_number, voice_name: 'Lorenz' });
if (user_variable_2.is_isolated === user_constant_0) {
  const response_0 = await isolate_audio({ input_speech: user_variable_2 });
  const response_1 = await search_voice_library({ search_category: 'conversational' });
  const response_2 = await speech_to_text({ diarize: true, input_speech: response_0 });
  await make_outbound_call({ input_speech: response_0, to_number: user_variable_4.to_number, voice_name: response_1[1].voice_name });
  RESULT = { transcript: response_2 };
} else {
  const response_3 = await speech_to_speech({ input_speech: user_variable_2, voice_name: 'Dorian' });
  const response_4 = await isolate_audio({ input_speech: response_3 });
  await make_outbound_call({ input_speech: response_4, to_number: user_variable_4.to_number, voice_name: 'Cosima' });
  const response_5 = await text_to_speech({ text: user_variable_1, voice_name: 'Kaia' });
  RESULT = { speech: response_5 };
}
