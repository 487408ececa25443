/**
 * A benchmark small enough to see through, on the real scenario, and what the other services would answer.
 */
import {
  type Candidate,
  type Case,
  type ExecutionRequest,
  type ExecutionResult,
  type Observation,
  type Program,
  type ReportResult,
  type EpisodeStatement,
  type Score,
  type EpisodeTransition,
  canonicalJson,
} from '@stateeval/contracts'
import { generate } from '@stateeval/generate'
import { listAttempts, type Benchmark, emit, buildInput, interpret, oneAnswer } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { createUnrunObservation } from '../../../benchmarks/stateeval/build/case.ts'
import { makeBuild } from '../../../benchmarks/stateeval/build/index.ts'

export const scenario = scenarios[0] as (typeof scenarios)[number]

export function programsOf(count: number, seed = 1): Program[] {
  const options = {
    count,
    length: 3,
    seed,
    strategy: 'random',
    controlFlow: true,
    observable: false,
    secondWorlds: false,
    apis: [],
    pairs: 'states',
  } as const
  return [...generate(scenario, options)].map(({ program }) => program)
}

interface Seen {
  result: unknown
  ids: readonly string[]
}
/** RESULT with issued ids by their order: enough here, where mutants keep the order. */
const named = ({ result, ids }: Seen) =>
  ids.reduce(
    (text, id, at) => text.replaceAll(JSON.stringify(id), `"<id ${at}>"`),
    canonicalJson(result ?? null),
  )
const same = (a: Seen, b: Seen) => named(a) === named(b)
const outcomeOf = ({ ending, world }: Observation): Seen => ({
  result: ending.status === 'completed' ? ending.result : ending.status,
  ids: world?.ids.created ?? [],
})
const agree = (_: Case, a: Observation, b: Observation) => same(outcomeOf(a), outcomeOf(b))

function score(c: Case, candidate: Candidate): Score {
  const { code = null, observations: ran = null } = listAttempts(candidate).at(-1) ?? {}
  const observations = ran ?? []
  const wrong = observations.findIndex(
    ({ ending }, at) =>
      ending.status !== 'completed' ||
      !c.oracles[at] ||
      !same(outcomeOf(observations[at] as Observation), {
        result: c.oracles[at].result,
        ids: c.oracles[at].world.ids.created,
      }),
  )
  const passed = code !== null && observations.length === c.oracles.length && wrong < 0
  const ending = observations[Math.max(0, wrong)]?.ending.status
  const failed =
    ending === 'completed' ? 'result_error' : ending === 'timeout' ? 'timeout' : 'execution_error'
  const verdict = passed ? 'passed' : code === null ? 'no_code' : failed
  return {
    passed,
    verdict,
    metrics: {},
    evidence: { differences: passed ? [] : [{ where: 'result', says: 'RESULT differs' }] },
  }
}

const start = (c: Case): EpisodeTransition => ({
  state: null,
  need: { kind: 'reply', role: 'model', transcript: 0, append: [{ role: 'user', content: c.instruction }] },
})
const programOf = (code: string | null, run: number | null): EpisodeStatement => ({
  kind: 'program',
  attempts: [{ message: 1, readings: [{ policy: null, ...(code !== null && { code }), run }] }],
})
const judged: Benchmark<Case> = {
  kind: 'stateeval',
  title: 'small',
  version: '1',
  policies: ['sound'],
  verdicts: ['passed', 'no_code', 'result_error', 'execution_error', 'timeout'],
  asking: { promptings: ['direct'], languages: ['javascript'] },
  parse: (line) => JSON.parse(line) as Case,
  episode: {
    start,
    resume(c, { inputs = c.oracles.map(({ input }) => input) }, state, event): EpisodeTransition {
      const code = state as string | null
      if (event.kind === 'unavailable')
        return { done: programOf(code, null), notScored: { reason: event.reason, detail: event.detail } }
      if (event.kind === 'executed') return { done: programOf(code, event.run) }
      if (event.kind !== 'replied') throw new TypeError(event.kind)
      if (event.text === '') return { done: programOf(null, null) }
      const request = {
        kind: 'code',
        language: 'javascript',
        code: event.text,
        world: c.world,
        inputs,
      } as const
      return { state: event.text, need: { kind: 'execute', request } }
    },
  },
  player: ({ program }, { language = 'javascript' }, mutant) => {
    const code = mutant === undefined ? emit(program, language) : String(mutant)
    return code === null ? null : oneAnswer(code)
  },
  score: ({ case: c, candidate }) => score(c, candidate),
  aggregate(samples, _cases, about): ReportResult {
    const scored = samples.filter((sample) => sample.score)
    const passed = scored.filter((sample) => sample.score?.passed).length
    const overall = {
      passed,
      scored: scored.length,
      rate: scored.length ? passed / scored.length : null,
      interval: null,
    }
    return {
      ...about,
      version: '1',
      overall,
      notScored: samples.length - scored.length,
      verdicts: {},
      rootCauses: {},
      groups: {},
      samples: [...samples],
    }
  },
  mutants: {
    // `site` says how the fake execution lets the mutant behave.
    mutate: (c, { language = 'javascript' }, rng) => {
      const behaviour = rng.pick(['throws', 'differs', 'survives', 'equivalent'])
      return { mutant: `// ${behaviour}\n${emit(c.program, language)}`, operator: behaviour, site: '1' }
    },
    furtherInputs: (c) => Array.from({ length: 3 }, () => buildInput(c.program)),
    expected: ({ oracles }) =>
      oracles.map(({ result, world }) => createUnrunObservation('oracle', result, world)),
    agree,
    isCaughtByComparison: ({ verdict }) => verdict === 'result_error',
  },
}
/** Its sets are built as StateEval's are. */
export const benchmark: Benchmark<Case> = {
  ...judged,
  building: { build: makeBuild({ scenario: () => scenario }, judged) },
}

/**
 * What execution would answer, from the state machine; a first line of the code says how a mutant behaves.
 */
export function executor(programs: readonly Program[]) {
  const byCode = new Map(programs.map((program) => [emit(program, 'javascript') as string, program]))
  return ({ code, inputs }: ExecutionRequest): ExecutionResult => {
    const behaviour = /^\/\/ (\w+)\n/.exec(code)?.[1]
    const program = byCode.get(code.replace(/^\/\/ \w+\n/, ''))
    const observations = inputs.map((input): Observation => {
      const about = { log: [], output: '', faults: [], wallMs: 1, sandbox: 'fake' }
      if (code === '// timeout')
        return { ending: { status: 'timeout', limit: 'wall', afterMs: 1 }, world: null, ...about }
      if (!program)
        return {
          ending: {
            status: 'refused',
            reason: 'syntax',
            error: { name: 'SyntaxError', message: 'unknown code' },
          },
          world: null,
          ...about,
        }
      const run = interpret(program, scenario, input)
      if (behaviour === 'throws')
        return {
          ending: { status: 'threw', error: { name: 'Error', message: 'mutant' } },
          world: run.world,
          ...about,
        }
      const result = run.ok ? run.result : {}
      const other = behaviour === 'differs' || (behaviour === 'survives' && inputs.length > 2)
      return {
        ending: { status: 'completed', result: other ? { ...result, more: true } : result },
        world: run.world,
        ...about,
      }
    })
    return { observations, runtime: 'fake runtime' }
  }
}
