await make_outbound_call({ input_speech: user_variable_2, to_number: user_variable_4.to_number, voice_name: 'Pascal' });
const response_0 = await text_to_speech({ similarity_boost: 0.67, style: 0.77, text: user_variable_1, voice_name: 'Cosima' });
const response_1 = await text_to_speech({ similarity_boost: 0.81, stability: 0.2, text: user_variable_0, voice_name: response_0.voice_name });
const response_2 = await speech_to_speech({ input_speech: response_1, voice_name: 'Fiona' });
await make_outbound_call({ input_speech: response_2, to_number: user_variable_4.to_number, voice_name: response_1.voice_name });
RESULT = { converted: response_2 };
