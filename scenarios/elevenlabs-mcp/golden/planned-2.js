const response_0 = await search_voice_library({ search_gender: user_variable_2.search_gender });
if (response_0.length === user_constant_0) {
  const response_1 = await speech_to_text({ diarize: true, input_speech: user_variable_1 });
  const response_2 = await isolate_audio({ input_speech: user_variable_1 });
  const response_3 = await speech_to_text({ input_speech: response_2 });
  const response_4 = await search_voice_library({ search_category: 'narration' });
  RESULT = { transcript_1: response_1, transcript_2: response_3, voices: response_4 };
} else {
  const response_5 = await speech_to_speech({ input_speech: user_variable_1, voice_name: response_0[1].voice_name });
  await make_outbound_call({ input_speech: response_5, to_number: user_variable_3.to_number, voice_name: response_0[4].voice_name });
  const response_6 = await isolate_audio({ input_speech: response_5 });
  const response_7 = await text_to_speech({ text: user_variable_0, voice_name: response_6.voice_name });
  RESULT = { speech: response_7 };
}
