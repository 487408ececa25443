/** Effects of the tools on speech: pure functions of their arguments, so that every run hears the same. */
import type { StatedCall, SpeechValue, SpeechTranscript } from './types.ts'

/** Defaults of the synthesis; those of the real server. */
export const defaults = { stability: 0.5, similarity_boost: 0.75, style: 0 } as const

const wordsPerSecond = 2.5
/** A noisy transcript loses every fifth word. */
const lostToNoise = 5
const lost = '[inaudible]'

/**
 * Steps speak the same texts again and again, so the newest texts are kept as words, unless they are long.
 */
const wordsByText = new Map<string, readonly string[]>()
const [maxKnown, longestKnown] = [1000, 1000]
function splitWordsCached(text: string): readonly string[] {
  let words = wordsByText.get(text)
  if (words) return words
  words = text.split(/\s+/).filter((word) => word !== '')
  if (text.length > longestKnown) return words
  if (wordsByText.size >= maxKnown) wordsByText.clear()
  wordsByText.set(text, words)
  return words
}

/** How long a text takes to speak, in whole seconds. */
const measureSeconds = (text: string) => Math.ceil(splitWordsCached(text).length / wordsPerSecond)

/** A person's recording: in their own voice, with or without noise around it. */
export const createRecorded = (text: string, is_isolated: boolean): SpeechValue => ({
  modality: 'speech',
  text,
  voice_name: null,
  is_isolated,
  duration: measureSeconds(text),
  stability: null,
  similarity_boost: null,
  style: null,
  history: [],
})

interface SpeechSettings {
  voice_name: string | null
  stability: number
  similarity_boost: number
  style: number
}

/** A text, spoken. There is nothing around a synthetic voice. */
export const synthesizeSpeech = (text: string, settings: SpeechSettings): SpeechValue => ({
  modality: 'speech',
  text,
  ...settings,
  is_isolated: true,
  duration: measureSeconds(text),
  history: [{ tool: 'text_to_speech', ...settings }],
})

/** The same words in the same surroundings, in another voice. */
export const convertSpeech = (speech: SpeechValue, voice_name: string): SpeechValue => ({
  ...speech,
  voice_name,
  history: appendCallHistory(speech, { tool: 'speech_to_speech', voice_name }),
})

/** The voice alone. */
export const isolateSpeech = (speech: SpeechValue): SpeechValue => ({
  ...speech,
  is_isolated: true,
  history: appendCallHistory(speech, { tool: 'isolate_audio' }),
})

/** Transcribes a speech: noise swallows words, and diarized text says who speaks. */
export function transcribeSpeech(speech: SpeechValue, diarize: boolean): SpeechTranscript {
  const words = splitWordsCached(speech.text)
  const heard = speech.is_isolated
    ? words
    : words.map((word, index) => (index % lostToNoise === lostToNoise - 1 ? lost : word))
  const text = heard.join(' ')
  return {
    modality: 'text',
    text: diarize ? `SPEAKER 0: ${text}` : text,
    word_count: heard.filter((word) => word !== lost).length,
    diarize,
    history: appendCallHistory(speech, { tool: 'speech_to_text', diarize }),
  }
}

const appendCallHistory = ({ history }: SpeechValue, statedCall: StatedCall): StatedCall[] => [
  ...history,
  statedCall,
]
