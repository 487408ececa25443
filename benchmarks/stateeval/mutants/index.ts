/**
 * Mutants for the built-in model: programs with one mistake, further inputs, and a judge that is not
 * the scorer.
 */
import { toJson, type Case } from '@stateeval/contracts'
import {
  type BenchmarkHost,
  collectKnownAnswers,
  type MutantSupport,
  mutate,
  mutationOperators,
  type Scenario,
} from '@stateeval/program'
import { createUnrunObservation } from '../build/case.ts'
import { getLanguage } from '../episode.ts'
import { writeAnswer } from '../player.ts'
import { isToolMode } from '../tools/index.ts'
import { hasSameObservation } from './agree.ts'

/** The lists of the world whose order says nothing, by their keys. */
const listUnorderedKeys = ({ compare: { unordered } }: Scenario) => unordered.map((path) => String(path[0]))

export const makeMutants = (host: BenchmarkHost): MutantSupport<Case> => ({
  mutate(c, options, rng) {
    const facts = collectKnownAnswers(c.program, host.scenario(c.scenario))
    const mutation = mutate(c.program, rng, mutationOperators, facts)
    if (!mutation) return null
    const { program, operator, site } = mutation
    if (isToolMode(options)) return { mutant: toJson(program), operator, site }
    const answer = writeAnswer(program, getLanguage(options))
    return answer === null ? null : { mutant: answer, operator, site }
  },
  furtherInputs(c, count, rng) {
    const scenario = host.scenario(c.scenario)
    // Half of them lie near the case's own input, half far off, where a difference shows that few worlds
    // show.
    return Array.from({ length: count }, (_, n) => scenario.vary(c.program, rng.fork(n), n % 2 === 1))
  },
  expected: ({ oracles }) =>
    oracles.map(({ result, world }) => createUnrunObservation('oracle', result, world)),
  isCaughtByComparison: ({ verdict }) => verdict === 'result_error',
  agree(c, a, b) {
    const scenario = host.scenario(c.scenario)
    const { masked } = scenario.compareFor?.(c.program) ?? scenario.compare
    return hasSameObservation(a, b, listUnorderedKeys(scenario), masked)
  },
})
