const response_0 = await text_to_speech({ text: user_variable_1 });
const response_1 = await text_to_speech({ stability: 0.91, style: 0.65, text: user_variable_1, voice_name: 'Hanna' });
if (response_1.duration === user_constant_0) {
  const response_2 = await search_voice_library({ search_name: response_1.voice_name });
  const response_3 = await text_to_speech({ similarity_boost: 0.14, text: user_variable_1, voice_name: response_2[0].voice_name });
  const response_4 = await speech_to_speech({ input_speech: response_3, voice_name: 'Fiona' });
  RESULT = { speech: response_0, converted: response_4 };
} else {
  const response_5 = await speech_to_text({ diarize: true, input_speech: response_1 });
  const response_6 = await text_to_speech({ similarity_boost: 0.44, style: 0.74, text: user_variable_0, voice_name: response_1.voice_name });
  const response_7 = await search_voice_library({ search_name: response_6.voice_name });
  RESULT = { speech: response_0, transcript: response_5, voices: response_7 };
}
