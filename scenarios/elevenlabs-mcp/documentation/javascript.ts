/** The documentation for JavaScript: the tools are async functions. */
import { writeToolDocumentation } from './text.ts'

export const javascript = writeToolDocumentation({
  fence: 'js',
  use: 'They are global async functions: call them with `await` and one object of named arguments, or with arguments in the documented order. A call that is refused (an unknown voice, a missing or unknown argument, a value of the wrong kind) throws a `ToolError` with the reason, and changes nothing.',
  none: 'null',
  yes: 'true',
  no: 'false',
  examples: {
    search_voice_library: `const voices = await search_voice_library({ search_category: 'narration', search_gender: 'female' });
const name = voices[0].voice_name;`,
    text_to_speech: `const speech = await text_to_speech({ text: 'The shop opens at nine.', voice_name: name, style: 0.3 });`,
    speech_to_speech: `const converted = await speech_to_speech({ input_speech: speech, voice_name: name });`,
    speech_to_text: `const transcript = await speech_to_text({ input_speech: speech, diarize: true });`,
    isolate_audio: `const clean = await isolate_audio({ input_speech: speech });`,
    make_outbound_call: `await make_outbound_call({ input_speech: speech, voice_name: name, to_number: '+1 202 555 0100' });`,
  },
})
