const response_0 = await speech_to_text({ input_speech: user_variable_2 });
const response_1 = await isolate_audio({ input_speech: user_variable_2 });
if (response_1.duration === user_constant_0) {
  const response_2 = await search_voice_library({ search_category: user_variable_3.search_category });
  await make_outbound_call({ input_speech: response_1, to_number: user_variable_4.to_number, voice_name: response_2[0].voice_name });
  const response_3 = await speech_to_text({ input_speech: response_1 });
  RESULT = { transcript_1: response_0, transcript_2: response_3 };
} else {
  const response_4 = await speech_to_speech({ input_speech: response_1, voice_name: 'Hanna' });
  const response_5 = await speech_to_speech({ input_speech: response_4, voice_name: 'Pascal' });
  const response_6 = await search_voice_library({ search_gender: user_variable_3.search_gender });
  RESULT = { transcript: response_0, converted: response_5, voices: response_6 };
}
