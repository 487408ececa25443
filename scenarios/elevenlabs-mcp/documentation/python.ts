/** The documentation for Python: the tools are functions. */
import { writeToolDocumentation } from './text.ts'

export const python = writeToolDocumentation({
  fence: 'python',
  use: 'They are global functions: nothing has to be imported. Arguments are passed by keyword or by position. Values are dicts: `speech["text"]`. A call that is refused (an unknown voice, a value of the wrong kind) raises a `ToolError` with the reason, and changes nothing.',
  none: 'None',
  yes: 'True',
  no: 'False',
  examples: {
    search_voice_library: `voices = search_voice_library(search_category="narration", search_gender="female")
name = voices[0]["voice_name"]`,
    text_to_speech: `speech = text_to_speech(text="The shop opens at nine.", voice_name=name, style=0.3)`,
    speech_to_speech: `converted = speech_to_speech(input_speech=speech, voice_name=name)`,
    speech_to_text: `transcript = speech_to_text(input_speech=speech, diarize=True)`,
    isolate_audio: `clean = isolate_audio(input_speech=speech)`,
    make_outbound_call: `make_outbound_call(input_speech=speech, voice_name=name, to_number="+1 202 555 0100")`,
  },
})
