/**
 * Mutation: a program with one mistake, made without the oracle; the state machine predicts the outputs of
 * calls.
 */
import type { Program } from '@stateeval/contracts'
import { withId } from '../canonical.ts'
import type { RandomSource } from '../rng.ts'
import type { KnownAnswers } from './known.ts'
import type { MutationOperator } from './operator.ts'
import { mutationOperators } from './operators/index.ts'

export { collectScenarioCalls, type KnownAnswers, collectKnownAnswers } from './known.ts'
export { type MistakeHint, type MutationOperator, type MutationSite, StepSite } from './operator.ts'
export { copiedOutput } from './operators/copied-output.ts'
export { mutationOperators, tellingOperators } from './operators/index.ts'

interface ProgramMutation {
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
  rng: RandomSource,
  operators: readonly MutationOperator[] = mutationOperators,
  facts?: KnownAnswers,
): ProgramMutation | null {
  const applicable = operators
    .map((operator) => ({ id: operator.id, sites: operator.sites(program, facts) }))
    .filter(({ sites }) => sites.length > 0)
  if (applicable.length === 0) return null
  const { id, sites } = rng.pick(applicable)
  const site = rng.pick(sites)
  return { operator: id, site: site.where, program: withId(site.change(rng)) }
}
