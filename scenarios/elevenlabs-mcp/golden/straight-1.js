await make_outbound_call({ input_speech: user_variable_2, to_number: user_variable_4.to_number });
const response_0 = await text_to_speech({ text: user_variable_0, voice_name: 'Fiona', stability: 0.77 });
const response_1 = await search_voice_library({ search_name: response_0.voice_name });
const response_2 = await search_voice_library({ search_gender: response_1[0].gender });
await make_outbound_call({ input_speech: response_0, voice_name: response_2[1].voice_name, to_number: user_variable_4.to_number });
RESULT = { voices: response_2 };
