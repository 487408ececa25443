const response_0 = await speech_to_speech({ input_speech: user_variable_2, voice_name: 'Camille' });
const response_1 = await speech_to_text({ input_speech: response_0 });
const response_2 = await text_to_speech({ text: response_1.text, voice_name: response_0.voice_name });
const response_3 = await isolate_audio({ input_speech: user_variable_1 });
const response_4 = await speech_to_speech({ input_speech: response_3, voice_name: response_2.voice_name });
RESULT = { converted: response_4 };
