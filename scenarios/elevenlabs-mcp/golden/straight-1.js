const response_0 = await text_to_speech({ text: user_variable_1 });
await make_outbound_call({ input_speech: response_0, to_number: user_variable_4.to_number, voice_name: 'Adelheid' });
const response_1 = await isolate_audio({ input_speech: user_variable_2 });
const response_2 = await speech_to_speech({ input_speech: response_1, voice_name: 'Cosima' });
const response_3 = await text_to_speech({ similarity_boost: 0.35, text: user_variable_1, voice_name: 'Cosima' });
RESULT = { converted: response_2, speech: response_3 };
