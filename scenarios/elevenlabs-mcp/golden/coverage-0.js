await make_outbound_call({ input_speech: user_variable_1, voice_name: 'Jasper', to_number: user_variable_4.to_number });
if (user_variable_2.duration === user_constant_0) {
  const response_0 = await speech_to_text({ input_speech: user_variable_2, diarize: true });
  const response_1 = await isolate_audio({ input_speech: user_variable_1 });
  const response_2 = await speech_to_speech({ input_speech: response_1, voice_name: 'Mirabel' });
  const response_3 = await speech_to_speech({ input_speech: response_2, voice_name: 'Rosalie' });
  RESULT = { transcript: response_0, converted: response_3 };
} else {
  const response_4 = await search_voice_library({ search_category: 'advertisement', search_gender: user_variable_3.search_gender });
  const response_5 = await speech_to_speech({ input_speech: user_variable_2, voice_name: response_4[0].voice_name });
  const response_6 = await text_to_speech({ text: user_variable_0, voice_name: response_4[0].voice_name });
  const response_7 = await speech_to_text({ input_speech: response_6 });
  RESULT = { converted: response_5, transcript: response_7 };
}
