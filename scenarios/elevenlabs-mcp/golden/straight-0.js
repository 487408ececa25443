const response_0 = await text_to_speech({ style: 0.24, text: user_variable_0, voice_name: 'Mirabel' });
const response_1 = await search_voice_library({ search_gender: user_variable_3.search_gender });
const response_2 = await speech_to_speech({ input_speech: response_0, voice_name: response_1[6].voice_name });
const response_3 = await speech_to_text({ input_speech: user_variable_2 });
const response_4 = await text_to_speech({ text: response_3.text, voice_name: response_1[1].voice_name });
RESULT = { converted: response_2, speech: response_4 };
