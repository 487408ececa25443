/**
 * Documentation for the model under test: the tools, one section each, so that the parts which a task needs
 * can be cut out. It says what the tools do, no more and no less; the backend's tests check that. Each
 * language has a file for its own parts.
 */
import type { ToolName } from '../tools.ts'

/** How a language calls the tools. */
interface LanguageText {
  /** The word after a fence. */
  fence: string
  /** How calls are written, and what happens where one is refused. */
  use: string
  /** Its words for nothing, true and false. */
  none: string
  yes: string
  no: string
  examples: Readonly<Record<ToolName, string>>
}

const writeToolIntroduction = ({ use, none, yes, no }: LanguageText) => `# ElevenLabs tools

Six tools for speech: they find voices, speak texts, change, clean and transcribe speech, and place phone calls. ${use}

The tools work on values. A tool never changes what it is given: it gives a new value, which holds what was done so far in \`history\`. Three kinds of values are told apart by \`modality\`:

| \`modality\` | fields |
| --- | --- |
| \`"speech"\` | \`text\`: the words; \`voice_name\`: the voice of the library that speaks, \`${none}\` for a person's own voice and for the default voice; \`is_isolated\`: \`${yes}\` if only the voice is heard, \`${no}\` if there is noise around it; \`duration\`: how many seconds it takes; \`stability\`, \`similarity_boost\`, \`style\`: settings of the synthesis, \`${none}\` for a recording that no tool made; \`history\`: what tools did to it, a list |
| \`"text"\` | a transcript. \`text\`: what was understood; \`word_count\`: how many words that are; \`diarize\`: whether speakers are told apart; \`history\`: that of the speech, and the transcription |
| \`"voice"\` | a voice of the library. \`voice_name\`: unique; \`category\`: what it is meant for, such as \`narration\`; \`gender\`: \`female\` or \`male\` |

Variables of a task hold texts to speak (plain strings), recordings (of the modality \`"speech"\`), wishes for a voice (\`search_category\`, \`search_gender\`) or people to call (\`name\`, \`to_number\`).

Which voices the library has is known by searching only. Names, categories and genders are compared exactly and case-sensitively.`

const sections: Readonly<Record<ToolName, (language: LanguageText) => string>> = {
  search_voice_library: ({ none }) => `## search_voice_library: find voices

Signature: \`search_voice_library(search_name=${none}, search_category=${none}, search_gender=${none})\`

Gives the list of the voices that match everything that is given, ordered by name; an empty list where none does. At least one parameter must be given.`,
  text_to_speech: ({ none }) => `## text_to_speech: speak a text

Signature: \`text_to_speech(text, voice_name=${none}, stability=${none}, similarity_boost=${none}, style=${none})\`

| parameter | meaning |
| --- | --- |
| \`text\` | what is spoken; a string |
| \`voice_name\` | a voice of the library. If left out, the default voice speaks, and the speech's \`voice_name\` is \`${none}\` |
| \`stability\` | 0 to 1: how even the voice sounds; 0.5 if left out |
| \`similarity_boost\` | 0 to 1: how close it stays to its model; 0.75 if left out |
| \`style\` | 0 to 1: how much it exaggerates; 0 if left out |

Gives a new speech, in which only the voice is heard. Settings that nobody asks for are left out.`,
  speech_to_speech: () => `## speech_to_speech: say it again in another voice

Signature: \`speech_to_speech(input_speech, voice_name)\`

Gives a speech with the same words in the voice \`voice_name\` of the library. Noise around the voice stays.`,
  speech_to_text: ({ no }) => `## speech_to_text: transcribe a speech

Signature: \`speech_to_text(input_speech, diarize=${no})\`

Gives a transcript. Of a speech that is not isolated, noise swallows words: \`[inaudible]\` stands in their place. With \`diarize\`, the text tells who speaks.`,
  isolate_audio: ({ yes }) => `## isolate_audio: remove everything but the voice

Signature: \`isolate_audio(input_speech)\`

Gives the speech with \`is_isolated\` \`${yes}\`. What was transcribed or converted from it before stays as it is.`,
  make_outbound_call: ({ none }) => `## make_outbound_call: call somebody and play a speech

Signature: \`make_outbound_call(input_speech, voice_name=${none}, to_number=${none})\`

| parameter | meaning |
| --- | --- |
| \`input_speech\` | the speech that is played |
| \`voice_name\` | the voice of the library in which the assistant talks to the person; if left out, that of the speech. The speech itself stays in its own voice |
| \`to_number\` | the number that is called; if left out, the number that the account has on file |

The call is placed at once and can't be taken back; calls placed one after the other stay in that order. Gives nothing (\`${none}\`).`,
}

export function writeToolDocumentation(language: LanguageText): string {
  const section = (name: ToolName) =>
    `${sections[name](language)}\n\n\`\`\`${language.fence}\n${language.examples[name]}\n\`\`\``
  return `${[writeToolIntroduction(language), ...(Object.keys(sections) as ToolName[]).map(section)].join('\n\n')}\n`
}
