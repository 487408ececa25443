await make_outbound_call({ input_speech: user_variable_2, voice_name: 'Pascal', to_number: user_variable_4.to_number });
const response_0 = await text_to_speech({ text: user_variable_1, voice_name: 'Cosima', similarity_boost: 0.67, style: 0.77 });
const response_1 = await text_to_speech({ text: user_variable_0, voice_name: response_0.voice_name, stability: 0.2, similarity_boost: 0.81 });
const response_2 = await speech_to_speech({ input_speech: response_1, voice_name: 'Fiona' });
await make_outbound_call({ input_speech: response_2, voice_name: response_1.voice_name, to_number: user_variable_4.to_number });
RESULT = { converted: response_2 };
