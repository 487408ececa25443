/**
 * Pair transitions: the last transition that affected a state, and the call that consumes it (StateGen,
 * section III-C). A call that consumes nothing that a transition affected is paired with the call before it,
 * the first one with ⊥.
 */
import type { Call, Program } from '@stateeval/contracts'
import { listReferences } from '../expr.ts'
import { buildInput, interpret } from '../interpret.ts'
import type { Scenario } from '../scenario.ts'
import { formatPair } from './adjacent-transitions.ts'
import { updateOrigins, type ValueOrigin, hasOverlap } from './dataflow.ts'
import { listExecutionPaths } from '../blocks.ts'

export const startOfTrace = '⊥'

/** Which transition last affected each state of a path. */
export interface StateHistory {
  /** APIs called so far, oldest first. */
  apis: readonly string[]
  /** Variables: what of them came from which call. */
  origins: readonly ValueOrigin[]
  /** Remote states, by name: the API that changed them last. */
  remote: ReadonlyMap<string, string>
}

export const emptyHistory: StateHistory = { apis: [], origins: [], remote: new Map() }

/**
 * The distinct transitions that a call continues, given the remote states that it consumes: each makes a
 * pair with it.
 */
export function findProducingTransitions(
  { apis, origins, remote }: StateHistory,
  call: Call,
  consumes: readonly string[],
): string[] {
  const producers: string[] = []
  const add = (api: string) => {
    if (!producers.includes(api)) producers.push(api)
  }
  if (origins.length > 0)
    for (const { variable, path } of listReferences(call))
      for (const origin of origins)
        if (origin.variable === variable && hasOverlap(origin.path, path)) add(apis[origin.call] as string)
  if (remote.size > 0)
    for (const state of consumes) {
      const api = remote.get(state)
      if (api !== undefined) add(api)
    }
  if (producers.length === 0) producers.push(apis.at(-1) ?? startOfTrace)
  return producers
}

/** The distinct pairs that a call makes, given the remote states that it consumes. */
const listTransitionPairs = (history: StateHistory, call: Call, consumes: readonly string[]): string[] =>
  findProducingTransitions(history, call, consumes).map((from) => formatPair(from, call.api))

/** The history after a call. */
export function extendHistory(
  { apis, origins, remote }: StateHistory,
  call: Call,
  affects: readonly string[],
): StateHistory {
  let remoteAfter = remote
  if (affects.length > 0) {
    const copy = new Map(remote)
    for (const state of affects) copy.set(state, call.api)
    remoteAfter = copy
  }
  return {
    apis: [...apis, call.api],
    origins: updateOrigins(origins, call, apis.length),
    remote: remoteAfter,
  }
}

/**
 * The distinct pairs of a program on all its paths, from running it on the state machine; those from ⊥ are
 * left out.
 */
export function collectPairs(program: Program, scenario: Scenario): string[] {
  const pairs = new Set<string>()
  listExecutionPaths(program).forEach(({ branch, steps }, choice) => {
    const effects: { affects: readonly string[]; reads: readonly string[] }[] = []
    const run = interpret(program, scenario, buildInput(program, choice), (_, effect) => effects.push(effect))
    if (!run.ok || run.branch !== branch) return
    let history = emptyHistory
    for (const step of steps) {
      if (step.kind === 'edit') {
        history = { ...history, origins: updateOrigins(history.origins, step, -1) }
        continue
      }
      const effect = effects[history.apis.length] ?? { affects: [], reads: [] }
      for (const pair of listTransitionPairs(history, step, effect.reads))
        if (!pair.startsWith(startOfTrace)) pairs.add(pair)
      history = extendHistory(history, step, effect.affects)
    }
  })
  return [...pairs]
}
