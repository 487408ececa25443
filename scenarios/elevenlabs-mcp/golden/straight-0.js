const response_0 = await text_to_speech({ text: user_variable_0, voice_name: 'Rosalie', stability: 0.15 });
const response_1 = await speech_to_text({ input_speech: response_0 });
const response_2 = await speech_to_speech({ input_speech: response_0, voice_name: 'Beatrix' });
await make_outbound_call({ input_speech: response_2, voice_name: response_0.voice_name, to_number: user_variable_4.to_number });
const response_3 = await text_to_speech({ text: response_1.text, voice_name: response_2.voice_name, similarity_boost: 0.96 });
RESULT = { speech: response_3 };
