/**
 * What becomes of a mutant. The oracle is what is measured, so equivalence is judged by code that is not the scorer's:
 * a mutant that passes is equivalent only if it agrees with the reference on the case's inputs and on 20 further ones.
 */
import type { BenchmarkCase, Candidate, Case, ExecutionRequest, Input, Observation, Score, ScoredSample } from '@stateeval/contracts'
import { createRng, type Mutants } from '@stateeval/program'
import { unrun } from './case.ts'
import type { SampleContext } from './sample.ts'

export type Fate = NonNullable<ScoredSample['mutant']>['fate']
const furtherCount = 20

/** What the reference code showed on the case's own inputs, from the oracle. */
const referenceOf = (c: Case): Observation[] => c.oracles.map(({ result, world }) => unrun('oracle', result, world))

const agreeAll = (mutants: Mutants, a: readonly Observation[], b: readonly Observation[]) =>
  a.length === b.length && a.every((one, at) => mutants.agree(one, b[at] as Observation))

/** A failed mutant is caught, unless the independent comparison sees no difference: then the scorer is in doubt. */
export function fateWhenFailed(mutants: Mutants, c: Case, candidate: Candidate, score: Score): Fate {
  if (agreeAll(mutants, referenceOf(c), candidate.observations)) return 'disputed'
  return score.verdict === 'result_error' ? 'caught_by_comparison' : 'caught_by_exception'
}

/** The fate of a mutant that passed, from what reference and mutant showed on the further inputs. */
export function settled(
  mutants: Mutants,
  c: Case,
  candidate: Candidate,
  further: { reference: Observation[]; mutant: Observation[] },
): Fate {
  return agreeAll(mutants, referenceOf(c), candidate.observations) && agreeAll(mutants, further.reference, further.mutant)
    ? 'equivalent'
    : 'survived'
}

/** The two runs on further inputs: the same inputs for every mutant of a case. */
export function furtherRequests(
  context: SampleContext,
  mutant: ExecutionRequest,
): { reference: ExecutionRequest; mutant: ExecutionRequest } {
  const { benchmark, case: c, options } = context
  const turn = benchmark.episode.start(c, { language: options.language, prompting: benchmark.promptings[0] ?? 'direct' })
  const answer = benchmark.selfCheck(c, options.language) ?? ''
  const next = 'done' in turn ? turn : benchmark.episode.resume(turn.state, { kind: 'reply', text: answer })
  const reference = 'need' in next && next.need.kind === 'execute' ? next.need.request : mutant
  const inputs = furtherInputs(context)
  return { reference: { ...reference, inputs }, mutant: { ...mutant, inputs } }
}

/** Drawing them takes a tenth of a second, so a case's are kept as long as the case is. */
const drawn = new WeakMap<BenchmarkCase, Input[]>()

function furtherInputs({ benchmark, case: c }: SampleContext): Input[] {
  const known = drawn.get(c)
  if (known) return known
  const inputs = benchmark.mutants?.furtherInputs(c, furtherCount, createRng(`further/${c.id}`)) ?? []
  drawn.set(c, inputs)
  return inputs
}
