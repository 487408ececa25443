const response_0 = await speech_to_speech({ input_speech: user_variable_2, voice_name: 'Mirabel' });
const response_1 = await speech_to_speech({ input_speech: response_0, voice_name: 'Adelheid' });
if (user_variable_2.is_isolated === user_constant_0) {
  const response_2 = await text_to_speech({ text: user_variable_1, voice_name: response_0.voice_name });
  const response_3 = await speech_to_text({ input_speech: response_2 });
  const response_4 = await isolate_audio({ input_speech: response_1 });
  RESULT = { transcript: response_3, isolated: response_4 };
} else {
  const response_5 = await search_voice_library({ search_name: response_0.voice_name });
  const response_6 = await speech_to_speech({ input_speech: response_1, voice_name: 'Anselm' });
  const response_7 = await isolate_audio({ input_speech: response_6 });
  RESULT = { voices: response_5, isolated: response_7 };
}
