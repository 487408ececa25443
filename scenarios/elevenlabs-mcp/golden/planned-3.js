await make_outbound_call({ input_speech: user_variable_1, to_number: user_variable_3.to_number, voice_name: 'Thea' });
if (user_variable_1.is_isolated === user_constant_0) {
  const response_0 = await text_to_speech({ text: user_variable_0, voice_name: 'Lorenz' });
  const response_1 = await isolate_audio({ input_speech: user_variable_1 });
  const response_2 = await search_voice_library({ search_category: 'conversational', search_gender: user_variable_2.search_gender });
  await make_outbound_call({ input_speech: response_1, to_number: user_variable_3.to_number, voice_name: response_2[0].voice_name });
  RESULT = { speech: response_0 };
} else {
  const response_3 = await speech_to_text({ input_speech: user_variable_1 });
  const response_4 = await speech_to_text({ diarize: true, input_speech: user_variable_1 });
  const response_5 = await speech_to_speech({ input_speech: user_variable_1, voice_name: 'Cosima' });
  const response_6 = await text_to_speech({ stability: 0.67, text: user_variable_0, voice_name: response_5.voice_name });
  RESULT = { transcript_1: response_3, transcript_2: response_4, speech: response_6 };
}
