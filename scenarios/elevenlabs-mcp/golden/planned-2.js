await make_outbound_call({ input_speech: user_variable_1, voice_name: 'Gustav', to_number: user_variable_3.to_number });
if (user_variable_1.isolated === user_constant_0) {
  const response_0 = await isolate_audio({ input_speech: user_variable_1 });
  const response_1 = await text_to_speech({ text: user_variable_0, voice_name: 'Rosalie' });
  const response_2 = await text_to_speech({ text: user_variable_0, style: 0.31 });
  await make_outbound_call({ input_speech: response_0, to_number: user_variable_3.to_number });
  RESULT = { speech_1: response_1, speech_2: response_2 };
} else {
  const response_3 = await speech_to_text({ input_speech: user_variable_1 });
  const response_4 = await isolate_audio({ input_speech: user_variable_1 });
  const response_5 = await speech_to_text({ input_speech: response_4 });
  const response_6 = await search_voice_library({ search_category: 'conversational' });
  RESULT = { transcript_1: response_3, transcript_2: response_5, voices: response_6 };
}
