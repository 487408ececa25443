const response_0 = await text_to_speech({ text: user_variable_0, voice_name: 'Dorian', similarity_boost: 0.8200000000000001, style: 0.06 });
if (response_0.duration === user_constant_0) {
  const response_1 = await text_to_speech({ text: user_variable_0, voice_name: response_0.voice_name, stability: 0.37 });
  const response_2 = await search_voice_library({ search_name: response_0.voice_name });
  const response_3 = await speech_to_text({ input_speech: response_1 });
  const response_4 = await isolate_audio({ input_speech: user_variable_1 });
  RESULT = { voices: response_2, transcript: response_3, isolated: response_4 };
} else {
  const response_5 = await speech_to_speech({ input_speech: response_0, voice_name: 'Silvan' });
  const response_6 = await search_voice_library({ search_name: response_5.voice_name });
  const response_7 = await isolate_audio({ input_speech: user_variable_1 });
  const response_8 = await text_to_speech({ text: user_variable_0, voice_name: response_6[0].voice_name });
  RESULT = { isolated: response_7, speech: response_8 };
}
