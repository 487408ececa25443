await make_outbound_call({ input_speech: user_variable_1, to_number: user_variable_4.to_number, voice_name: 'Hanna' });
if (user_variable_2.duration === user_constant_0) {
  const response_0 = await search_voice_library({ search_category: user_variable_3.search_category, search_gender: user_variable_3.search_gender });
  const response_1 = await speech_to_speech({ input_speech: user_variable_1, voice_name: response_0[1].voice_name });
  const response_2 = await isolate_audio({ input_speech: response_1 });
  const response_3 = await isolate_audio({ input_speech: user_variable_1 });
  RESULT = { isolated_1: response_2, isolated_2: response_3 };
} else {
  const response_4 = await speech_to_speech({ input_speech: user_variable_1, voice_name: 'Jasper' });
  const response_5 = await isolate_audio({ input_speech: response_4 });
  const response_6 = await text_to_speech({ style: 0.37, text: user_variable_0, voice_name: 'Adelheid' });
  const response_7 = await text_to_speech({ text: user_variable_0, voice_name: 'Adelheid' });
  RESULT = { isolated: response_5, speech_1: response_6, speech_2: response_7 };
}
