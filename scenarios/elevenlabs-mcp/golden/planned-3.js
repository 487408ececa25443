const response_0 = await speech_to_text({ input_speech: user_variable_1, diarize: true });
if (response_0.word_count === user_constant_0) {
  await make_outbound_call({ input_speech: user_variable_1, voice_name: 'Fiona', to_number: user_variable_3.to_number });
  const response_1 = await speech_to_speech({ input_speech: user_variable_1, voice_name: 'Cosima' });
  await make_outbound_call({ input_speech: response_1, voice_name: 'Lorenz', to_number: user_variable_3.to_number });
  const response_2 = await text_to_speech({ text: user_variable_0 });
  RESULT = { speech: response_2 };
} else {
  const response_3 = await speech_to_speech({ input_speech: user_variable_1, voice_name: 'Edda' });
  const response_4 = await text_to_speech({ text: user_variable_0, voice_name: response_3.voice_name });
  const response_5 = await speech_to_text({ input_speech: response_4 });
  const response_6 = await speech_to_text({ input_speech: response_3 });
  RESULT = { transcript_1: response_5, transcript_2: response_6 };
}
