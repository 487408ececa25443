const response_0 = await speech_to_speech({ input_speech: user_variable_2, voice_name: 'Pascal' });
const response_1 = await text_to_speech({ text: user_variable_1, voice_name: response_0.voice_name, similarity_boost: 0.15 });
if (response_1.seconds === user_constant_0) {
  const response_2 = await isolate_audio({ input_speech: user_variable_2 });
  const response_3 = await speech_to_speech({ input_speech: response_2, voice_name: response_0.voice_name });
  const response_4 = await isolate_audio({ input_speech: response_0 });
  RESULT = { converted: response_3, isolated: response_4 };
} else {
  const response_5 = await speech_to_text({ input_speech: response_1, diarize: true });
  await make_outbound_call({ input_speech: response_1, voice_name: response_0.voice_name, to_number: user_variable_4.to_number });
  const response_6 = await search_voice_library({ search_name: response_0.voice_name });
  RESULT = { transcript: response_5, voices: response_6 };
}
