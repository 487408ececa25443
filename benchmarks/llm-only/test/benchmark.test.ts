/** The benchmark as its host uses it: from generated programs to cases, answers, scores and growth. */
import { expect, test } from '@jest/globals'
import type { BuildOptions, Program, ScoredSample, GenerationStatistics } from '@stateeval/contracts'
import { defaultOptions, generate } from '@stateeval/generate'
import {
  listAdjacentPairs,
  type BenchmarkHost,
  runEpisode,
  oneAnswer,
  type ReplyPlayer,
} from '@stateeval/program'
import { findScenario, scenarios } from '@stateeval/scenarios'
import { partial } from '@stateeval/testkit/partial'
import { buildDocumentationCase, type DocumentationCase, formatDocumentationCase } from '../case.ts'
import llmOnly from '../index.ts'

const host: BenchmarkHost = {
  scenario(id) {
    const scenario = findScenario(id)
    if (!scenario) throw new RangeError(`no scenario ${id}`)
    return scenario
  },
}
const benchmark = llmOnly(host)
const options = { language: 'javascript', prompting: 'direct' } as const

const programsOf = (id: string, count: number): Program[] =>
  [...generate(findScenario(id)!, { ...defaultOptions, count, strategy: 'coverage', observable: false })].map(
    ({ program }) => program,
  )
const voice = programsOf('elevenlabs-mcp', 8)
const c = buildDocumentationCase(voice[0]!)

async function scoreOf(one: DocumentationCase, player: ReplyPlayer) {
  const { candidate } = await runEpisode(benchmark.episode, one, options, {
    reply: player,
    execute: () => {
      throw new Error('programs are not run')
    },
  })
  return benchmark.score({ case: one, candidate })
}

test.each(scenarios.map(({ id }) => id))(
  '%s: the reference passes, with the generator’s own pairs; the prompt holds the documentation',
  async (id) => {
    for (const program of programsOf(id, 4)) {
      const one = benchmark.parse(formatDocumentationCase(buildDocumentationCase(program)))
      expect(one.task).toMatchObject({ scenario: id, calls: 5 })
      const { verdict, metrics } = await scoreOf(one, benchmark.player(one, options)!)
      expect(verdict).toBe('passed')
      const pairs = Object.keys(metrics).filter((name) => name.startsWith('pair '))
      expect(pairs.sort()).toEqual(listAdjacentPairs(program).map((pair) => `pair ${pair}`).sort()) // oxfmt-ignore
    }
    const turn = benchmark.episode.start(buildDocumentationCase(programsOf(id, 1)[0]!), options)
    const content = JSON.stringify(turn)
    expect(content).toContain(
      JSON.stringify(findScenario(id)!.documentation('javascript').trim()).slice(1, -1),
    )
    expect(content).toContain('exactly 5 calls')
  },
)

const program = (...apis: string[]) =>
  `\`\`\`javascript\n${apis.map((api) => `await ${api}({});`).join('\n')}\nRESULT = {};\n\`\`\``
const [T, S, I] = ['text_to_speech', 'speech_to_text', 'isolate_audio']

test.each<[string, string, string, number]>([
  ['no code', '', 'no_code', 0],
  ['prose', 'I would call text_to_speech first.', 'no_code', 0],
  ['thoughts without an end', `<think>\n${program(T, S, T, S, I)}`, 'no_code', 0],
  ['a leftover behind the fence', `${program(T, S, T, S, I)}<|im_end|>`, 'passed', 1],
  ['broken code', '```js\nawait ((\n```', 'unreadable', 0],
  ['too few calls', program(T, T, S), 'other_length', 1],
  ['a loop', '```js\nfor (const x of y) await text_to_speech({ text: x })\n```', 'loop', 1],
  ['no call', '```js\nRESULT = {}\n```', 'no_api_call', 1],
  ['a usable program', program(T, S, T, S, I), 'passed', 1],
])('%s', async (_, answer, verdict, read) => {
  expect(await scoreOf(c, oneAnswer(answer))).toMatchObject({
    verdict,
    passed: verdict === 'passed',
    metrics: { pass: verdict === 'passed' ? 1 : 0, read },
    evidence: { differences: verdict === 'passed' ? [] : [{ where: 'answer' }] },
  })
  expect(benchmark.verdicts).toContain(verdict)
})

test('coverage grows from answer to answer, for usable programs and for all that can be read', async () => {
  const answers = [
    program(T, S, T, S, T), // T>S S>T
    program(T, T), // read only: T>T
    'no program',
    program(T, S, T, S, T), // nothing new
    program(T, I, T, I, T), // T>I I>T
  ]
  const samples: ScoredSample[] = []
  for (const [sample, answer] of answers.entries())
    samples.push({ case: c.id, sample, score: await scoreOf(c, oneAnswer(answer)) })
  const about = { digest: 'd', model: 'm', options: {} }
  const result = benchmark.aggregate([...samples].reverse(), [c], about)
  const share = (pairs: number) => expect.closeTo(pairs / 36, 5)
  expect(result.overall).toMatchObject({ passed: 3, scored: 5 })
  expect(result.groups).toEqual({ scenario: [{ name: 'elevenlabs-mcp', rate: result.overall }] })
  expect(result.verdicts).toMatchObject({ passed: 3, other_length: 1, no_code: 1 })
  expect(result.measures).toEqual([
    {
      policy: 'static',
      group: 'case',
      name: c.id,
      values: {
        answers: 5,
        APIs: 6,
        'programs, usable': 3,
        'different sets of pairs, usable': 2,
        'adjacent pairs, usable': 4,
        'adjacent transition coverage, usable': share(4),
        'programs, read': 4,
        'different sets of pairs, read': 3,
        'adjacent pairs, read': 5,
        'adjacent transition coverage, read': share(5),
      },
    },
    {
      policy: 'static',
      group: 'growth, usable',
      name: c.id,
      values: { 1: share(2), 2: share(2), 3: share(4) },
    },
    { policy: 'static', group: 'growth, read', name: c.id, values: { 1: share(2), 2: share(3), 3: share(3), 4: share(5) } }, // oxfmt-ignore
  ])
  expect(JSON.stringify(benchmark.aggregate(samples, [c], about))).toBe(JSON.stringify(result))
})

test('what was not scored counts nowhere', () => {
  const sample: ScoredSample = { case: c.id, sample: 0, score: null, notScored: 'the endpoint was down' }
  const result = benchmark.aggregate([sample], [c], { digest: 'd', model: 'm', options: {} })
  expect(result).toMatchObject({ notScored: 1, overall: { scored: 0, rate: null } })
  expect(result.measures![0]!.values).toMatchObject({ answers: 0, 'programs, read': 0 })
})

test('a set has one case for each scenario, and the same bytes for the same programs', async () => {
  const making = benchmark.building!.build!
  const parts = scenarios.map(({ id }) => ({
    scenario: id,
    ends: programsOf(id, 2).map((one) => {
      const turn = making.flow.start(partial({ program: one }))
      if (!('done' in turn)) throw new Error('it waits for something')
      return turn.done
    }),
    generation: partial<GenerationStatistics>({}),
  }))
  const build = { scenario: 'all', seed: 1 } as BuildOptions
  const set = (await making.assemble(parts, build, { generator: '4' }))!
  expect(set.lines.map((line) => benchmark.parse(line).id)).toEqual(scenarios.map(({ id }) => `${id}-5`))
  expect(set.about).toMatchObject({
    counts: { generated: 6, passed: 6, kept: 3 },
    versions: { 'benchmark llm-only': '4', generator: '4' },
  })
  expect(await making.assemble(parts, build, { generator: '4' })).toEqual(set)
  expect(await making.assemble([], build, {})).toBeNull()
})

test.each<[string, unknown, RegExp]>([
  ['another kind', { kind: 'stateeval' }, /\/kind must be llm-only/],
  ['no scenario', { task: { ...c.task, scenario: 'nowhere' } }, /\/task\/scenario names no scenario/],
  ['no number', { task: { ...c.task, calls: 'five' } }, /\/task\/calls must be a whole number/],
  ['no reference', { task: { ...c.task, reference: 1 } }, /\/task\/reference must be a text/],
  ['no task', { task: null }, /\/task\/scenario must be/],
])('a torn case is refused: %s', (_, change, says) => {
  expect(() => benchmark.parse(JSON.stringify({ ...c, ...(change as object) }))).toThrow(says)
})
