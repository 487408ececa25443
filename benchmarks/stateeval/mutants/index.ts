/** What the built-in model `mutant` needs: programs with one mistake, further inputs, and a judge that is not the scorer. */
import type { Case } from '@stateeval/contracts'
import { type BenchmarkHost, type Mutants, mutate } from '@stateeval/program'
import { languageOf } from '../episode.ts'
import { answerOf } from '../player.ts'
import { agree } from './agree.ts'

export const makeMutants = (host: BenchmarkHost): Mutants<Case> => ({
  mutate(c, options, rng) {
    const mutation = mutate(c.program, rng)
    const answer = mutation && answerOf(mutation.program, languageOf(options))
    return mutation && answer !== null
      ? { mutant: answer, operator: mutation.operator, site: mutation.site }
      : null
  },
  furtherInputs(c, count, rng) {
    const scenario = host.scenario(c.scenario)
    return Array.from({ length: count }, (_, n) => scenario.vary(c.program, rng.fork(n)))
  },
  agree,
})
