const response_0 = await speech_to_speech({ input_speech: user_variable_2, voice_name: 'Cosima' });
const response_1 = await speech_to_text({ input_speech: response_0 });
if (response_1.word_count === user_constant_0) {
  const response_2 = await isolate_audio({ input_speech: response_0 });
  const response_3 = await search_voice_library({ search_name: response_2.voice_name });
  await make_outbound_call({ input_speech: response_0, voice_name: 'Fiona', to_number: user_variable_4.to_number });
  RESULT = { voices: response_3 };
} else {
  const response_4 = await text_to_speech({ text: user_variable_1, voice_name: response_0.voice_name });
  const response_5 = await text_to_speech({ text: user_variable_1, voice_name: response_4.voice_name, similarity_boost: 0.37 });
  const response_6 = await search_voice_library({ search_name: response_5.voice_name });
  RESULT = { voices: response_6 };
}
