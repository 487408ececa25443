await make_outbound_call({ input_speech: user_variable_1, voice_name: 'Jasper', to_number: user_variable_4.to_number });
if (user_variable_2.duration === user_constant_0) {
  const response_0 = await speech_to_text({ input_speech: user_variable_2, diarize: true });
  const response_1 = await isolate_audio({ input_speech: user_variable_1 });
  const response_2 = await speech_to_speech({ input_speech: response_1, voice_name: 'Mirabel' });
  const response_3 = await speech_to_speech({ input_speech: response_2, voice_name: 'Rosalie' });
  RESULT = { transcript: response_0, converted: response_3 };
} else {
  const response_4 = await text_to_speech({ text: user_variable_0, voice_name: 'Ottilie', stability: 0.99, style: 0.44 });
  await make_outbound_call({ input_speech: response_4, to_number: user_variable_4.to_number });
  const response_5 = await search_voice_library({ search_name: response_4.voice_name });
  const response_6 = await search_voice_library({ search_gender: response_5[0].gender });
  RESULT = { voices: response_6 };
}
