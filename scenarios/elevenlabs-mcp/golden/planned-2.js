const response_0 = await speech_to_text({ input_speech: user_variable_1 });
if (response_0.word_count === user_constant_0) {
  await make_outbound_call({ input_speech: user_variable_1, voice_name: 'Gustav', to_number: user_variable_3.to_number });
  const response_1 = await isolate_audio({ input_speech: user_variable_1 });
  const response_2 = await speech_to_text({ input_speech: response_1 });
  const response_3 = await speech_to_text({ input_speech: user_variable_1, diarize: true });
  RESULT = { transcript_1: response_2, transcript_2: response_3 };
} else {
  const response_4 = await isolate_audio({ input_speech: user_variable_1 });
  const response_5 = await speech_to_speech({ input_speech: response_4, voice_name: 'Pascal' });
  const response_6 = await text_to_speech({ text: user_variable_0, voice_name: response_5.voice_name, similarity_boost: 0.23 });
  const response_7 = await text_to_speech({ text: user_variable_0, voice_name: response_6.voice_name, stability: 0.32 });
  RESULT = { speech: response_7 };
}
