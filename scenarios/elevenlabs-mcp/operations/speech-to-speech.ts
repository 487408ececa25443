import type { Call } from '@stateeval/contracts'
import type { ScenarioOperation } from '@stateeval/program'
import { applyTool } from '../apply.ts'
import { speechToSpeech as say } from '../say/speech-to-speech.ts'
import { wasMade, sampleSome, speeches } from '../scope.ts'
import type { StudioWorld } from '../state.ts'
import { chooseVoice, listVoices } from '../voice-choice.ts'

const api = 'speech_to_speech'

/** Says a speech again in a voice that it never had. */
export const speechToSpeech: ScenarioOperation<StudioWorld> = {
  id: api,
  *solve(scope, rng) {
    for (const { reference, value } of sampleSome(speeches(scope), rng)) {
      const voice = chooseVoice(scope, rng, listVoices(value))
      if (!voice) continue
      const call: Call = { kind: 'tool', api, args: { input_speech: reference, voice_name: voice.expr } }
      if (!wasMade(scope, call)) yield { call, consumes: [] }
    }
  },
  apply: (world, args) => applyTool(api, world, args),
  tells: ['voice_name'],
  gathers: { key: 'converted', path: [] },
  say,
}
