await make_outbound_call({ input_speech: user_variable_2, voice_name: 'Fiona', to_number: user_variable_4.to_number });
const response_0 = await speech_to_speech({ input_speech: user_variable_2, voice_name: 'Dorian' });
const response_1 = await speech_to_text({ input_speech: response_0, diarize: true });
const response_2 = await search_voice_library({ search_category: 'conversational', search_gender: user_variable_3.search_gender });
const response_3 = await search_voice_library({ search_name: response_0.voice_name });
RESULT = { transcript: response_1, voices_1: response_2, voices_2: response_3 };
