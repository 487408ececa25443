const response_0 = await speech_to_speech({ input_speech: user_variable_2, voice_name: 'Jasper' });
const response_1 = await search_voice_library({ search_category: user_variable_3.search_category, search_gender: user_variable_3.search_gender });
const response_2 = await isolate_audio({ input_speech: user_variable_1 });
await make_outbound_call({ input_speech: response_2, to_number: user_variable_4.to_number, voice_name: response_1[0].voice_name });
const response_3 = await speech_to_speech({ input_speech: response_0, voice_name: response_1[2].voice_name });
RESULT = { converted: response_3 };
