const response_0 = await text_to_speech({ text: user_variable_1 });
const response_1 = await text_to_speech({ text: user_variable_0, voice_name: 'Adelheid' });
if (response_1.duration === user_constant_0) {
  const response_2 = await search_voice_library({ search_name: response_1.voice_name });
  const response_3 = await search_voice_library({ search_category: response_2[0].category });
  const response_4 = await text_to_speech({ text: user_variable_0, voice_name: response_3[0].voice_name });
  RESULT = { speech_1: response_0, speech_2: response_4 };
} else {
  const response_5 = await speech_to_text({ input_speech: response_1 });
  await make_outbound_call({ input_speech: response_0, to_number: user_variable_4.to_number });
  const response_6 = await search_voice_library({ search_category: 'character' });
  RESULT = { transcript: response_5, voices: response_6 };
}
