/**
 * What becomes of a mutant. The oracle is what is measured, so equivalence is judged by code that is not the scorer's:
 * a mutant that passes is equivalent only if it agrees with the reference on the case's inputs and on 20 further ones.
 */
import type {
  BenchmarkCase,
  Candidate,
  EpisodeOptions,
  Input,
  Observation,
  Score,
  ScoredSample,
} from '@stateeval/contracts'
import { attemptsOf, createRng, type Mutants } from '@stateeval/program'
import type { SampleContext } from './sample.ts'

export type MutantOutcome = NonNullable<ScoredSample['mutant']>['fate']
const furtherCount = 20

/** What a candidate showed on the inputs of its case, in order. */
export function observationsOf(candidate: Candidate): Observation[] {
  const { said, runs } = candidate
  if (said.kind === 'dialogue')
    return said.inputs.flatMap(({ run }) => (run === null ? [] : (runs[run]?.observations ?? [])))
  return [
    ...(attemptsOf(candidate, said.attempts.at(-1)?.readings[0]?.policy ?? null).at(-1)?.observations ?? []),
  ]
}

const agreeAll = (mutants: Mutants, c: BenchmarkCase, a: readonly Observation[], b: readonly Observation[]) =>
  a.length === b.length && a.every((one, at) => mutants.agree(c, one, b[at] as Observation))

/** A failed mutant is caught, unless the independent comparison sees no difference: then the scorer is in doubt. */
export function outcomeWhenFailed(
  mutants: Mutants,
  c: BenchmarkCase,
  own: readonly Observation[],
  score: Score,
): MutantOutcome {
  if (agreeAll(mutants, c, mutants.expected(c), own)) return 'disputed'
  return score.verdict === 'result_error' ? 'caught_by_comparison' : 'caught_by_exception'
}

/** The fate of a mutant that passed, from what reference and mutant showed on the further inputs. */
export function outcomeWhenPassed(
  mutants: Mutants,
  c: BenchmarkCase,
  own: readonly Observation[],
  further: { reference: readonly Observation[]; mutant: readonly Observation[] },
): MutantOutcome {
  return agreeAll(mutants, c, mutants.expected(c), own) &&
    agreeAll(mutants, c, further.reference, further.mutant)
    ? 'equivalent'
    : 'survived'
}

/** The options of episodes on further inputs: the same inputs for every mutant of a case. */
export function furtherOptions({
  benchmark,
  case: c,
  options: { language, mode },
}: SampleContext): EpisodeOptions {
  const inputs = furtherInputs(benchmark.mutants, c)
  return {
    ...(language && { language }),
    ...(mode && { mode }),
    prompting: benchmark.promptings[0] ?? 'direct',
    inputs,
  }
}

/** Drawing them takes a tenth of a second, so a case's are kept as long as the case is. */
const drawn = new WeakMap<BenchmarkCase, Input[]>()

function furtherInputs(mutants: Mutants | undefined, c: BenchmarkCase): Input[] {
  const known = drawn.get(c)
  if (known) return known
  const inputs = mutants?.furtherInputs(c, furtherCount, createRng(`further/${c.id}`)) ?? []
  drawn.set(c, inputs)
  return inputs
}
