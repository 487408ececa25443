const response_0 = await search_voice_library({ search_category: 'meditation', search_gender: user_variable_3.search_gender });
if (response_0.length === user_constant_0) {
  const response_1 = await speech_to_text({ diarize: true, input_speech: user_variable_1 });
  const response_2 = await speech_to_text({ diarize: true, input_speech: user_variable_2 });
  const response_3 = await search_voice_library({ search_category: 'conversational' });
  const response_4 = await isolate_audio({ input_speech: user_variable_2 });
  RESULT = { voices_1: response_0, transcript_1: response_1, transcript_2: response_2, voices_2: response_3, isolated: response_4 };
} else {
  const response_5 = await text_to_speech({ stability: 0.58, text: user_variable_0, voice_name: response_0[1].voice_name });
  const response_6 = await speech_to_speech({ input_speech: response_5, voice_name: response_0[2].voice_name });
  const response_7 = await isolate_audio({ input_speech: user_variable_1 });
  const response_8 = await isolate_audio({ input_speech: user_variable_2 });
  RESULT = { converted: response_6, isolated_1: response_7, isolated_2: response_8 };
}
