/**
 * Mutation: a program with one mistake, made without the oracle; the state machine predicts the outputs of
 * calls.
 */
import type { Program } from '@stateeval/contracts'
import { withId } from '../canonical.ts'
import type { Rng } from '../rng.ts'
import type { Known } from './known.ts'
import type { MutationOperator } from './operator.ts'
import { mutationOperators } from './operators/index.ts'

export { callsOf, type Known, knownOf } from './known.ts'
export { type Hint, type MutationOperator, type Site, StepSite } from './operator.ts'
export { copiedOutput } from './operators/copied-output.ts'
export { mutationOperators, tellingOperators } from './operators/index.ts'

interface Mutation {
  operator: string
  site: string
  program: Program
}

/**
 * Draws one applicable operator uniformly, then one of its sites. The result is a program that differs from
 * the given one and that every emitter can write; null if no operator applies. The same arguments give the
 * same mutation.
 */
export function mutate(
  program: Program,
  rng: Rng,
  operators: readonly MutationOperator[] = mutationOperators,
  facts?: Known,
): Mutation | null {
  const applicable = operators
    .map((operator) => ({ id: operator.id, sites: operator.sites(program, facts) }))
    .filter(({ sites }) => sites.length > 0)
  if (applicable.length === 0) return null
  const { id, sites } = rng.pick(applicable)
  const site = rng.pick(sites)
  return { operator: id, site: site.where, program: withId(site.change(rng)) }
}
