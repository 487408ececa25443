/** The explicit list of tools. */
import type { ScenarioOperation } from '@stateeval/program'
import type { StudioWorld } from '../state.ts'
import { isolateAudio } from './isolate-audio.ts'
import { makeOutboundCall } from './make-outbound-call.ts'
import { searchVoiceLibrary } from './search-voice-library.ts'
import { speechToSpeech } from './speech-to-speech.ts'
import { speechToText } from './speech-to-text.ts'
import { textToSpeech } from './text-to-speech.ts'

export const operations: readonly ScenarioOperation<StudioWorld>[] = [
  searchVoiceLibrary,
  textToSpeech,
  speechToSpeech,
  speechToText,
  isolateAudio,
  makeOutboundCall,
]
