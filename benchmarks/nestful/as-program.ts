/**
 * A fresh case answered by a program: the same instruction, input and truth as a case of StateEval, so that
 * calls and programs can be compared in pairs.
 */
import type { Candidate, Case, EpisodeOptions, Score } from '@stateeval/contracts'
import { type Benchmark, type BenchmarkHost, type Episode, describeShape } from '@stateeval/program'
import type { NestfulCase } from './case.ts'
import { getPromptSetup } from './prompt/prompt.ts'

export const isProgram = (options: EpisodeOptions) => getPromptSetup(options) === 'program'

/** The case of StateEval; null where there is no executable truth. */
function buildProgramCase({ id, instruction, task: { truth } }: NestfulCase): Case | null {
  if (!truth) return null
  const { program, world, input, result, state } = truth
  return {
    id,
    scenario: program.scenario,
    world,
    instruction,
    variables: program.variables.map(({ name, values }) => ({ name, type: describeShape(values[0]) })),
    program,
    oracles: [{ input, result, world: state }],
    flags: [],
    metrics: {},
  }
}

const chooseJavaScript = (options: EpisodeOptions): EpisodeOptions => ({ ...options, language: 'javascript' })

/** Programs as StateEval prompts, plays and judges them. */
export function makeProgramAnswers(host: BenchmarkHost): {
  episode: Episode<NestfulCase>
  player: Benchmark<NestfulCase>['player']
  score: (c: NestfulCase, candidate: Candidate) => Score
} {
  const stateeval = () => {
    const benchmark = host.benchmark?.('stateeval')
    if (!benchmark) throw new Error('this host has no kind stateeval')
    return benchmark
  }
  const caseOf = (c: NestfulCase): Case => {
    const programCase = buildProgramCase(c)
    if (!programCase) throw new TypeError(`${c.id} has no executable truth`)
    return programCase
  }
  return {
    episode: {
      start: (c, options) =>
        c.task.truth
          ? stateeval().episode.start(caseOf(c), chooseJavaScript(options))
          : {
              done: { kind: 'program', attempts: [] },
              notScored: {
                reason: 'unanswerable',
                detail: 'a program can answer only fresh cases; build some with --kind nestful',
              },
            },
      resume: (c, options, ...rest) =>
        stateeval().episode.resume(caseOf(c), chooseJavaScript(options), ...rest),
    },
    player: (c, options, mutant) =>
      c.task.truth && mutant === undefined ? stateeval().player(caseOf(c), chooseJavaScript(options)) : null,
    score: (c, candidate) => {
      const { passed, verdict, metrics, evidence } = stateeval().score({ case: caseOf(c), candidate })
      if (verdict === 'infrastructure_error') return { passed, verdict, metrics, evidence }
      const ownVerdict = passed ? 'correct' : verdict === 'no_code' ? 'no_calls' : 'wrong'
      const { differences, error } = evidence
      const judged = { passed, verdict: ownVerdict, metrics: { win: passed ? 1 : 0 }, differences }
      return {
        passed,
        verdict: ownVerdict,
        metrics: { pass: passed ? 1 : 0, win: passed ? 1 : 0 },
        evidence: { differences, ...(error && { error }) },
        // A program has no sequence to compare: both policies see what it left.
        policies: { published: judged, sound: judged },
      }
    },
  }
}
