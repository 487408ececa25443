const response_0 = await speech_to_speech({ input_speech: user_variable_2, voice_name: 'Nils' });
if (response_0.is_isolated === user_constant_0) {
  await make_outbound_call({ input_speech: response_0, to_number: user_variable_4.to_number, voice_name: 'Jasper' });
  const response_1 = await text_to_speech({ text: user_variable_1 });
  const response_2 = await text_to_speech({ similarity_boost: 0.72, style: 0.3, text: user_variable_1, voice_name: response_0.voice_name });
  const response_3 = await isolate_audio({ input_speech: response_0 });
  RESULT = { speech_1: response_1, speech_2: response_2, isolated: response_3 };
} else {
  const response_4 = await text_to_speech({ similarity_boost: 0.26, text: user_variable_0, voice_name: response_0.voice_name });
  await make_outbound_call({ input_speech: response_4, to_number: user_variable_4.to_number, voice_name: 'Bruno' });
  const response_5 = await search_voice_library({ search_category: 'conversational' });
  const response_6 = await search_voice_library({ search_category: 'conversational', search_gender: user_variable_3.search_gender });
  RESULT = { voices_1: response_5, voices_2: response_6 };
}
