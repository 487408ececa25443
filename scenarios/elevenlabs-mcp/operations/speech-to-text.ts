import type { Call } from '@stateeval/contracts'
import { createLiteral, type ScenarioOperation } from '@stateeval/program'
import { applyTool } from '../apply.ts'
import { speechToText as say } from '../say/speech-to-text.ts'
import { wasMade, sampleSome, speeches } from '../scope.ts'
import type { StudioWorld } from '../state.ts'

const api = 'speech_to_text'

/** Writes down a speech: as it is, or after it was isolated, which gives another transcript. */
export const speechToText: ScenarioOperation<StudioWorld> = {
  id: api,
  *solve(scope, rng) {
    for (const { reference } of sampleSome(speeches(scope), rng)) {
      const args = { input_speech: reference, ...(rng.chance(0.4) && { diarize: createLiteral(true) }) }
      const call: Call = { kind: 'tool', api, args }
      if (!wasMade(scope, call)) yield { call, consumes: [] }
    }
  },
  apply: (world, args) => applyTool(api, world, args),
  gathers: { key: 'transcript', path: [] },
  say,
}
