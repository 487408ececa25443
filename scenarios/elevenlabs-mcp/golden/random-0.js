const response_0 = await isolate_audio({ input_speech: user_variable_1 });
if (response_0.duration === user_constant_0) {
  const response_1 = await text_to_speech({ text: user_variable_0, voice_name: 'Jasper' });
  await make_outbound_call({ input_speech: response_1, to_number: user_variable_4.to_number, voice_name: 'Lorenz' });
  const response_2 = await speech_to_text({ input_speech: response_0 });
  const response_3 = await search_voice_library({ search_category: 'advertisement', search_gender: user_variable_3.search_gender });
  RESULT = { transcript: response_2, voices: response_3 };
} else {
  const response_4 = await speech_to_text({ diarize: true, input_speech: response_0 });
  const response_5 = await speech_to_text({ input_speech: user_variable_1 });
  const response_6 = await speech_to_text({ input_speech: response_0 });
  const response_7 = await text_to_speech({ stability: 0.59, text: response_6.text, voice_name: 'Anselm' });
  RESULT = { transcript_1: response_4, transcript_2: response_5, speech: response_7 };
}
