/**
 * A fresh case answered by a program: the same instruction, input and truth as a case of StateEval, so that
 * calls and programs can be compared in pairs.
 */
import type { Candidate, Case, EpisodeOptions, Score } from '@stateeval/contracts'
import { type Benchmark, type BenchmarkHost, type Episode, typeName } from '@stateeval/program'
import type { NestfulCase } from './case.ts'
import { setupFor } from './prompt/prompt.ts'

export const isProgram = (options: EpisodeOptions) => setupFor(options) === 'program'

/** The case of StateEval; null where there is no executable truth. */
export function programCaseOf({ id, instruction, task: { truth } }: NestfulCase): Case | null {
  if (!truth) return null
  const { program, world, input, result, state } = truth
  return {
    id,
    scenario: program.scenario,
    world,
    instruction,
    variables: program.variables.map(({ name, values }) => ({ name, type: typeName(values[0]) })),
    program,
    oracles: [{ input, result, world: state }],
    flags: [],
    metrics: {},
  }
}

const asked = (options: EpisodeOptions): EpisodeOptions => ({ ...options, language: 'javascript' })

/** Programs as StateEval prompts, plays and judges them. */
export function makeProgramAnswers(host: BenchmarkHost): {
  episode: Episode<NestfulCase>
  player: Benchmark<NestfulCase>['player']
  score: (c: NestfulCase, candidate: Candidate) => Score
} {
  const stateeval = () => {
    const found = host.benchmark?.('stateeval')
    if (!found) throw new Error('this host has no kind stateeval')
    return found
  }
  const caseOf = (c: NestfulCase): Case => {
    const found = programCaseOf(c)
    if (!found) throw new TypeError(`${c.id} has no executable truth`)
    return found
  }
  return {
    episode: {
      start: (c, options) =>
        c.task.truth
          ? stateeval().episode.start(caseOf(c), asked(options))
          : {
              done: { kind: 'program', attempts: [] },
              notScored: {
                reason: 'refused',
                detail: 'only fresh cases can be answered by a program; build some with --kind nestful',
              },
            },
      resume: (c, options, ...rest) => stateeval().episode.resume(caseOf(c), asked(options), ...rest),
    },
    player: (c, options, mutant) =>
      c.task.truth && mutant === undefined ? stateeval().player(caseOf(c), asked(options)) : null,
    score: (c, candidate) => {
      const { passed, verdict, metrics, evidence } = stateeval().score({ case: caseOf(c), candidate })
      if (verdict === 'infrastructure_error') return { passed, verdict, metrics, evidence }
      const own = passed ? 'correct' : verdict === 'no_code' ? 'no_calls' : 'wrong'
      const { differences, error } = evidence
      const judged = { passed, verdict: own, metrics: { win: passed ? 1 : 0 }, differences }
      return {
        passed,
        verdict: own,
        metrics: { pass: passed ? 1 : 0, win: passed ? 1 : 0 },
        evidence: { differences, ...(error && { error }) },
        // A program has no sequence to compare: both policies see what it left.
        policies: { published: judged, sound: judged },
      }
    },
  }
}
