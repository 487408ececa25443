const response_0 = await speech_to_text({ input_speech: user_variable_2 });
if (response_0.word_count === user_constant_0) {
  const response_1 = await speech_to_text({ diarize: true, input_speech: user_variable_2 });
  const response_2 = await isolate_audio({ input_speech: user_variable_2 });
  const response_3 = await speech_to_speech({ input_speech: response_2, voice_name: 'Ottilie' });
  const response_4 = await speech_to_text({ diarize: true, input_speech: response_3 });
  RESULT = { transcript_1: response_0, transcript_2: response_1, transcript_3: response_4 };
} else {
  await make_outbound_call({ input_speech: user_variable_2, to_number: user_variable_4.to_number });
  const response_5 = await text_to_speech({ similarity_boost: 0.83, style: 0.6, text: user_variable_0, voice_name: 'Jasper' });
  const response_6 = await isolate_audio({ input_speech: user_variable_2 });
  const response_7 = await speech_to_text({ diarize: true, input_speech: response_6 });
  RESULT = { transcript_1: response_0, speech: response_5, transcript_2: response_7 };
}
