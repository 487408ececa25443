await make_outbound_call({ input_speech: user_variable_2, voice_name: 'Pascal', to_number: user_variable_4.to_number });
const response_0 = await speech_to_speech({ input_speech: user_variable_2, voice_name: 'Thea' });
const response_1 = await speech_to_speech({ input_speech: response_0, voice_name: 'Adelheid' });
const response_2 = await text_to_speech({ text: user_variable_0, stability: 0.5700000000000001 });
await make_outbound_call({ input_speech: response_2, voice_name: response_0.voice_name, to_number: user_variable_4.to_number });
RESULT = { converted: response_1 };
