await make_outbound_call({ input_speech: user_variable_2, to_number: user_variable_4.to_number, voice_name: 'Pascal' });
const response_0 = await speech_to_speech({ input_speech: user_variable_2, voice_name: 'Thea' });
const response_1 = await speech_to_speech({ input_speech: response_0, voice_name: 'Adelheid' });
const response_2 = await text_to_speech({ stability: 0.57, text: user_variable_0 });
await make_outbound_call({ input_speech: response_2, to_number: user_variable_4.to_number, voice_name: response_0.voice_name });
RESULT = { converted: response_1 };
