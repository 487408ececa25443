/**
 * Pair transitions: the last transition that affected a state, and the call that consumes it (StateGen, section III-C).
 * A call that consumes nothing that a transition affected is paired with the call before it, the first one with ⊥.
 */
import type { Call, Program } from '@stateeval/contracts'
import { references } from '../expr.ts'
import { inputOf, interpret } from '../interpret.ts'
import type { Scenario } from '../scenario.ts'
import { pairName } from './adjacent-transitions.ts'
import { flow, type Origin, producersOf } from './dataflow.ts'
import { executionPaths } from './paths.ts'

export const startOfTrace = '⊥'

/** What is known of a path's states: which transition affected each of them last. */
export interface StateHistory {
  /** APIs called so far, oldest first. */
  apis: readonly string[]
  /** Variables: what of them came from which call. */
  origins: readonly Origin[]
  /** Remote states, by name: the API that changed them last. */
  remote: ReadonlyMap<string, string>
}

export const emptyHistory: StateHistory = { apis: [], origins: [], remote: new Map() }

/** The distinct pairs that a call makes, given the remote states that it consumes. */
export function transitionPairs({ apis, origins, remote }: StateHistory, call: Call, consumes: readonly string[]): string[] {
  const variables = references(call).flatMap((reference) => [...producersOf(origins, reference)].map((index) => apis[index] as string))
  const items = consumes.flatMap((state) => remote.get(state) ?? [])
  const producers = new Set([...variables, ...items])
  if (producers.size === 0) producers.add(apis.at(-1) ?? startOfTrace)
  return [...producers].map((from) => pairName(from, call.api))
}

/** The history after a call. */
export function afterCall({ apis, origins, remote }: StateHistory, call: Call, affects: readonly string[]): StateHistory {
  const changed = affects.length === 0 ? remote : new Map([...remote, ...affects.map((state) => [state, call.api] as const)])
  return { apis: [...apis, call.api], origins: flow(origins, call, apis.length), remote: changed }
}

/** The distinct pairs of a program on all its paths, by running it on the state machine; those from ⊥ are left out. */
export function pairsOf(program: Program, scenario: Scenario): string[] {
  const pairs = new Set<string>()
  executionPaths(program).forEach(({ branch, steps }, choice) => {
    const effects: { affects: readonly string[]; reads: readonly string[] }[] = []
    const run = interpret(program, scenario, inputOf(program, choice as 0 | 1), (_, effect) => effects.push(effect))
    if (!run.ok || run.branch !== branch) return
    let history = emptyHistory
    for (const step of steps) {
      if (step.kind === 'edit') {
        history = { ...history, origins: flow(history.origins, step, -1) }
        continue
      }
      const effect = effects[history.apis.length] ?? { affects: [], reads: [] }
      for (const pair of transitionPairs(history, step, effect.reads)) if (!pair.startsWith(startOfTrace)) pairs.add(pair)
      history = afterCall(history, step, effect.affects)
    }
  })
  return [...pairs]
}
