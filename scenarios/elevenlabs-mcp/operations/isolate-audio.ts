import type { Call } from '@stateeval/contracts'
import type { ScenarioOperation } from '@stateeval/program'
import { applyTool } from '../apply.ts'
import { isolateAudio as say } from '../say/isolate-audio.ts'
import { wasMade, sampleSome, speeches } from '../scope.ts'
import type { StudioWorld } from '../state.ts'

const api = 'isolate_audio'

/** Cleans a speech in which more than the voice is heard. */
export const isolateAudio: ScenarioOperation<StudioWorld> = {
  id: api,
  *solve(scope, rng) {
    const noisy = speeches(scope).filter(({ value }) => !value.is_isolated)
    for (const { reference } of sampleSome(noisy, rng)) {
      const call: Call = { kind: 'tool', api, args: { input_speech: reference } }
      if (!wasMade(scope, call)) yield { call, consumes: [] }
    }
  },
  apply: (world, args) => applyTool(api, world, args),
  gathers: { key: 'isolated', path: [] },
  say,
}
