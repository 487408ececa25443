/**
 * Laws that hold for all kinds, whatever a model answers: denominators are the cases', the parts of a rate
 * add up, no sample is lost, the reference passes, and an explanation is there if and only if it is needed.
 * Where the policy `sound` is laxer than `published`, a page of decisions says why.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type {
  BenchmarkCase,
  EpisodeOptions,
  ExecutionResult,
  Observation,
  Score,
  ScoredSample,
} from '@stateeval/contracts'
import { type Benchmark, findMeasureDirection, runEpisode, type ReplyPlayer } from '@stateeval/program'
import fc from 'fast-check'
import { executeCalls } from '../nestful/test/drive.ts'
import { type cases as programCases, predict } from '../stateeval/test/cases.ts'
import { runHere } from '../wapiibench/test/run-here.ts'
import { type AskedKind, askedKinds } from './asked-kinds.ts'
import { byKind, kinds, samplesOfCase, scoreOf } from './every-kind.ts'

const isLong = process.env['STATEEVAL_LONG'] === '1'
const about = { digest: 'a', model: 'm', options: {} }

test('every kind is under the laws', () => {
  expect(Object.keys(kinds).sort()).toEqual([...byKind.keys()].sort())
  expect(Object.keys(answered).sort()).toEqual([...byKind.keys()].sort())
})

/** Groupings in which a case counts more than once. */
const overlapping = new Set(['stateeval/api', 'llm-only/api'])

test.each(Object.entries(kinds))('%s: denominators are the cases’, and parts add up', (kind, judging) => {
  const benchmark: Benchmark = byKind.get(kind)!
  const { cases } = judging
  const count = cases.length * samplesOfCase
  const outcomes = fc.array(fc.boolean(), { minLength: count, maxLength: count })
  const reportOf = (all: readonly boolean[], isShuffled = false) => {
    const samples = all.map((passed, at): ScoredSample => {
      const c = cases[Math.floor(at / samplesOfCase)]!
      return { case: c.id, sample: at % samplesOfCase, score: scoreOf(judging, c, passed, passed) }
    })
    return benchmark.aggregate(isShuffled ? samples.toReversed() : samples, cases, about)
  }
  fc.assert(
    fc.property(outcomes, outcomes, (some, others) => {
      const [first, second] = [reportOf(some), reportOf(others)]
      const denominators = ({ overall, groups, measures = [] }: typeof first) => ({
        scored: overall.scored,
        groups: Object.entries(groups).map(([dimension, members]) => [
          dimension,
          members.map(({ name, rate }) => [name, rate.scored]),
        ]),
        measures: measures.map(({ policy, group, name, values }) => [
          ...[policy, group, name],
          ...['Samples', 'Judged', 'Runnable', 'Unanswerable', 'Ceiling'].map((one) => values[one]),
        ]),
      })
      expect(denominators(second)).toEqual(denominators(first))
      const { overall, verdicts, groups, notScored, samples } = first
      expect(overall.passed).toBe(some.filter(Boolean).length)
      expect(Object.values(verdicts).reduce((sum, one) => sum + one, 0)).toBe(overall.scored)
      expect(overall.scored + notScored).toBe(count)
      for (const [dimension, members] of Object.entries(groups)) {
        if (overlapping.has(`${kind}/${dimension}`) || members.length === 0) continue
        for (const part of ['scored', 'passed'] as const)
          expect([dimension, members.reduce((sum, { rate }) => sum + rate[part], 0)]).toEqual([
            dimension,
            overall[part],
          ])
      }
      // No sample is lost, whatever order they come in.
      expect(new Set(samples.map((one) => `${one.case}/${one.sample}`)).size).toBe(count)
      expect(JSON.stringify(reportOf(some, true))).toBe(JSON.stringify(first))
    }),
    { numRuns: isLong ? 100 : 8 },
  )
})

test.each(Object.entries(kinds))('%s: each measure says which way it is better', (kind, judging) => {
  const benchmark: Benchmark = byKind.get(kind)!
  for (const mode of benchmark.asking.modes ?? [undefined]) {
    const samples = judging.cases.map((c, at): ScoredSample => {
      const passed = at % 2 === 0
      return { case: c.id, sample: 0, score: scoreOf(judging, c, passed, passed) }
    })
    const options = mode === undefined ? {} : { mode }
    const { measures = [] } = benchmark.aggregate(samples, judging.cases, { ...about, options })
    const names = measures.flatMap(({ values }) => Object.keys(values))
    // A curve has its points as names.
    const unknown = names.filter(
      (name) => /\D/.test(name) && !findMeasureDirection(benchmark.reporting?.measures ?? {}, name),
    )
    expect([mode, unknown]).toEqual([mode, []])
  }
})

/** How a kind is answered in this process. */
interface AnsweredKind extends AskedKind {
  /** What runs of the reference, and of others, show. */
  execute?: (c: BenchmarkCase, code: string, reference: string) => Promise<Observation[]>
  /** A passed dialogue tells which errors it had and corrected. */
  tellsErrors?: true
  /** Metrics of a case that no answer may change. */
  denominators: RegExp
}
const threw = (message: string): Observation => ({
  ending: { status: 'threw', error: { name: 'Error', message } },
  ...{ world: null, log: [], output: '', faults: [], wallMs: 1, sandbox: 'prediction' },
})
const answered: Record<string, AnsweredKind> = {
  stateeval: {
    ...askedKinds.stateeval,
    execute: async (c, code, reference) => {
      const { program, oracles } = c as ReturnType<typeof programCases>[number]
      return oracles.map(({ input }) =>
        reference.includes(code.trim()) ? predict(program, input) : threw('it is not the reference'),
      )
    },
    denominators: /^$/,
  },
  'stateeval-published': {
    ...askedKinds['stateeval-published'],
    execute: async () => [threw('nothing is run here')],
    denominators: /^$/,
  },
  wapiibench: {
    ...askedKinds.wapiibench,
    execute: async (_, code) => [await runHere(code)],
    denominators: /^expected\/(params|data|path_params|headers|all)$/,
  },
  complexfuncbench: {
    ...askedKinds.complexfuncbench,
    tellsErrors: true,
    denominators: /^(total_calls|shortest_steps)$/,
  },
  nestful: { ...askedKinds.nestful, denominators: /^(names_gold|arguments_gold)$/ },
  'llm-only': { ...askedKinds['llm-only'], denominators: /^$/ },
}

/** What becomes of a reply. */
const changes: Record<string, (text: string) => string> = {
  none: (text) => text,
  'another number': (text) => text.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
  'another name': (text) => text.replace(/[a-z]{4,}/, 'other'),
  cut: (text) => text.slice(0, text.length / 2),
  prose: () => 'I cannot do that.',
  nothing: () => '',
  'a trailing thought': (text) => `${text}\n\nThis should do it.`,
}
type ChangeName = keyof typeof changes

/**
 * Where `sound` passes an answer that `published` fails: by what `published` says of it, the sentence on the
 * kind's page of decisions that gives the reason.
 */
const laxer: Record<string, readonly (readonly [published: RegExp, page: string])[]> = {
  complexfuncbench: [
    [/^diverged: /, 'A round without a match goes on'],
    [/^stop_early: .*(Location|Destination)\w*: /s, 'Places that were not looked up'],
  ],
  nestful: [[/^no_calls: parsing error: /, 'Another notation of the same calls']],
}
const readPage = (kind: string) =>
  readFileSync(join(import.meta.dirname, `../../docs/decisions/${kind}.md`), 'utf8').replaceAll(/\s+/g, ' ')

function explainLaxer({ kind }: Benchmark, { policies = {} }: Score): string | null {
  const { published, sound } = policies
  if (!sound?.passed || !published || published.passed) return null
  const says = `${published.verdict}: ${published.differences[0]?.says ?? ''}`
  const reason = laxer[kind]?.find(([pattern]) => pattern.test(says))
  if (!reason) return `no page says why sound is laxer where published says ${says}`
  return readPage(kind).includes(reason[1]) ? null : `the page of ${kind} does not say: ${reason[1]}`
}

async function answer(
  { benchmark, options, execute }: AnsweredKind,
  c: BenchmarkCase,
  { change, turn, policy }: { change: ChangeName; turn: number; policy?: string },
): Promise<Score | null> {
  const asked: EpisodeOptions = {
    prompting: 'direct',
    ...options,
    ...(policy !== undefined && { policy }),
  }
  const player: ReplyPlayer | null = benchmark.player(c, asked)
  if (!player) return null
  let replies = 0
  let reference = ''
  const { candidate, notScored } = await runEpisode(benchmark.episode, c, asked, {
    reply: (transcript) => {
      const reply = player(transcript)
      if (!reply) return null
      reference += reply.text
      if (replies++ !== turn) return reply
      const { toolCalls, ...rest } = reply
      if (!toolCalls?.length) return { ...rest, text: changes[change]!(reply.text) }
      return {
        ...reply,
        toolCalls: toolCalls.map((one) => ({ ...one, arguments: changes[change]!(one.arguments) })),
      }
    },
    ...(execute && {
      execute: async ({ code }): Promise<ExecutionResult> => ({
        observations: await execute(c, code, reference),
        runtime: 'here',
      }),
    }),
    executeCalls,
  })
  if (notScored) return null
  const judging = { case: c, ...(policy !== undefined && { policy }) }
  const score = benchmark.score({ ...judging, candidate })
  // What is stored of an answer gives its score again.
  const stored = JSON.parse(JSON.stringify(candidate)) as typeof candidate
  expect(benchmark.score({ ...judging, candidate: stored })).toEqual(score)
  return score
}

const listDifferences = ({ evidence, policies = {} }: Score) => [
  ...evidence.differences,
  ...Object.values(policies).flatMap(({ differences }) => differences),
]

test.each(Object.entries(answered))('%s: explanations and denominators of answers', async (_, kind) => {
  const { benchmark, cases, denominators, tellsErrors } = kind
  const policies = benchmark.policies.length > 1 ? benchmark.policies : [undefined]
  const canRun = benchmark.kind !== 'stateeval-published'
  const fixed = ({ policies: judged = {} }: Score) =>
    Object.entries(judged).map(([policy, { metrics, verdict }]) => [
      policy,
      // What vanished has no result under the released evaluator, and a diverged dialogue none of its own.
      ['vanished', 'diverged', 'unrecorded'].includes(verdict)
        ? null
        : Object.entries(metrics)
            .filter(([name]) => denominators.test(name))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
    ])
  let scores = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...cases),
      fc.constantFrom(...Object.keys(changes)),
      fc.nat(2),
      fc.constantFrom(...policies),
      async (c, change, turn, policy) => {
        const options = policy === undefined ? {} : { policy }
        const reference = await answer(kind, c, { change: 'none', turn: 0, ...options })
        const score = await answer(kind, c, { change, turn, ...options })
        if (!reference || !score) return
        scores++
        const of = [c.id, policy, reference.verdict]
        if (canRun) expect([...of, reference.passed]).toEqual([...of, true])
        const label = [c.id, change, turn, policy, score.verdict]
        const { differences, error } = score.evidence
        const isExplained = ({ passed, says }: { passed: boolean; says: boolean }) =>
          passed ? tellsErrors === true || !says : says
        const says = differences.length > 0 || error !== undefined
        expect([...label, isExplained({ passed: score.passed, says })]).toEqual([...label, true])
        for (const [name, one] of Object.entries(score.policies ?? {}))
          expect([
            ...[...label, name],
            isExplained({ passed: one.passed, says: one.differences.length > 0 }),
          ]).toEqual([...label, name, true])
        expect([...label, explainLaxer(benchmark, score)]).toEqual([...label, null])
        // Two values that are named differ.
        for (const { expected, found } of listDifferences(score))
          if (expected !== undefined) expect([...label, found]).not.toEqual([...label, expected])
        const before = fixed(reference)
        for (const [at, [name, values]] of fixed(score).entries())
          if (values !== null && before[at]![1] !== null)
            expect([...label, name, values]).toEqual([...label, ...before[at]!])
      },
    ),
    { numRuns: isLong ? 500 : 40 },
  )
  expect(scores).toBeGreaterThan(0)
})
