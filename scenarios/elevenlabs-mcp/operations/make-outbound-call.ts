import type { Call } from '@stateeval/contracts'
import { type ScenarioOperation, createRef } from '@stateeval/program'
import { applyTool } from '../apply.ts'
import { makeOutboundCall as say } from '../say/make-outbound-call.ts'
import { contacts, sampleSome, speeches } from '../scope.ts'
import type { StudioWorld } from '../state.ts'
import type { PlacedCall } from '../types.ts'
import { chooseVoice } from '../voice-choice.ts'

const api = 'make_outbound_call'

/** Plays a speech to a contact who hasn't heard it yet. */
export const makeOutboundCall: ScenarioOperation<StudioWorld> = {
  id: api,
  *solve(scope, rng) {
    const people = contacts(scope)
    if (people.length === 0) return
    for (const { reference, value } of sampleSome(speeches(scope), rng)) {
      const { binding, value: contact } = rng.pick(people)
      const heard = ({ speech }: PlacedCall) =>
        speech === value || JSON.stringify(speech) === JSON.stringify(value)
      if (scope.world.calls.some((call) => call.to_number === contact.to_number && heard(call))) continue
      const voice = rng.chance(0.9)
        ? chooseVoice(scope, rng, value.voice_name === null ? [] : [value.voice_name])
        : null
      const call: Call = {
        kind: 'tool',
        api,
        args: {
          input_speech: reference,
          ...(voice && { voice_name: voice.expr }),
          to_number: createRef(binding.name, 'to_number'),
        },
      }
      yield { call, consumes: [] }
    }
  },
  apply: (world, args) => applyTool(api, world, args),
  say,
}
