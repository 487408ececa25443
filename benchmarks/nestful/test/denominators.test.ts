/**
 * Which rate a sample counts in is its case's to say: whatever an answer does, it counts where the reference
 * counts.
 */
import { expect, test } from '@jest/globals'
import type { EpisodeEvent } from '@stateeval/contracts'
import { runEpisode } from '@stateeval/program'
import fc from 'fast-check'
import type { NestfulCase } from '../case.ts'
import { benchmarkOf, candidateOf, defaults, scoreOf } from './drive.ts'
import { sampleBenchmark, sampleCases, sampleFiles } from './sample.ts'
import { caseOf } from './shapes.ts'

const isRate = (name: string) => /^(?:pass_live|pass_mock|win)$/.test(name)
const ratesOf = (policies: Awaited<ReturnType<typeof scoreOf>>['policies']) =>
  Object.entries(policies!).map(([policy, { metrics }]) => [
    policy,
    ...Object.keys(metrics).filter(isRate).sort(),
  ])

const specifications = JSON.parse(sampleFiles()['v1/executable/executable-spec.json']!) as { host: string }[]
const parts = specifications.map(({ host }) => `http:${host}`)
const firstText = (c: NestfulCase) =>
  sampleBenchmark.player(c, defaults)!({ role: 'model', messages: [] })!.text

const answer = fc.oneof(
  fc.constantFrom('', 'No.', '[]', '[1]', '{}', '[{"name": null}]', '<think>'),
  fc
    .constantFrom('add', 'Nowhere', 'power', 'Harbour_Find_Port')
    .map((name) =>
      JSON.stringify([{ name, label: 'var1', arguments: { arg_0: 10, arg_1: 1e9, town: 'Emden' } }]),
    ),
  // The reference, cut off anywhere.
  fc.nat({ max: 99 }),
)
const textOf = (c: NestfulCase, one: string | number) =>
  typeof one === 'string' ? one : firstText(c).slice(0, Math.ceil((firstText(c).length * one) / 100))
const runs = { numRuns: process.env['STATEEVAL_LONG'] === '1' ? 5_000 : 200, seed: 3 }

test('an answer counts in the rates that its reference counts in', async () => {
  const expected = new Map<string, unknown>()
  for (const c of sampleCases)
    expected.set(c.id, ratesOf((await scoreOf(sampleBenchmark, c, firstText(c))).policies))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...sampleCases), answer, async (c, one) => {
      const { policies } = await scoreOf(sampleBenchmark, c, textOf(c, one))
      expect([one, ratesOf(policies)]).toEqual([one, expected.get(c.id)])
    }),
    runs,
  )
})

test('live, every answer counts among the live ones, and what was not recorded is lost', async () => {
  const executable = sampleCases.filter(({ task }) => task.passable)
  const events: EpisodeEvent[] = [
    { kind: 'responded', status: 404, body: '' },
    { kind: 'unavailable', reason: 'not_recorded', detail: 'GET /ports is not recorded' },
    { kind: 'unavailable', reason: 'not_configured', detail: '' },
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...executable),
      answer,
      fc.constantFrom(...events),
      async (c, one, event) => {
        const { candidate } = await runEpisode(
          sampleBenchmark.episode,
          c,
          { ...defaults, parts },
          { reply: () => ({ text: textOf(c, one), finish: 'stop' }), consult: () => event },
        )
        const { policies } = sampleBenchmark.score({ case: c, candidate })
        expect(ratesOf(policies)).toEqual([
          ['published', 'pass_live'],
          ['sound', 'pass_live'],
        ])
        for (const { metrics } of Object.values(policies!)) expect(metrics['pass_live']).toBe(0)
      },
    ),
    runs,
  )
})

test('where some hosts of the gold calls are not there, all is mocked', async () => {
  const c = sampleCases.find(({ task }) => task.passable && task.calls.length > 1)!
  const hosts = specifications.filter(
    (one) => 'name' in one && c.task.calls.some((call) => call.name === one.name),
  )
  const [first] = hosts
  const others = parts.filter((part) => part !== `http:${first!.host}`)
  const { policies } = await scoreOf(sampleBenchmark, c, firstText(c), { parts: others })
  expect(ratesOf(policies)).toEqual([
    ['published', 'pass_mock'],
    ['sound', 'pass_mock'],
  ])
})

test('functions that are not here leave the case out for every answer', async () => {
  const benchmark = benchmarkOf({})
  const c = caseOf([{ name: 'Alpha', label: 'var1', arguments: {} }], 0)
  for (const text of [
    'No.',
    '[]',
    '[{"name": "Alpha", "label": "var1", "arguments": {}}]',
    '[{"name": "Beta"}]',
  ])
    for (const { metrics } of Object.values((await scoreOf(benchmark, c, text)).policies!)) {
      expect(metrics['not_run']).toBe(1)
      expect(metrics['win']).toBeUndefined()
    }
})

test('an API without a specification is asked for under published alone', async () => {
  const c = sampleCases.find(({ task }) => task.form === 'v1')!
  const faults = ['call 1 (x): there is no specification of x']
  const without = { ...c, task: { ...c.task, faults } }
  expect(sampleBenchmark.player(without, { ...defaults, policy: 'sound' })).toBeNull()
  expect(sampleBenchmark.episode.start(without, { ...defaults, policy: 'sound' })).toMatchObject({
    notScored: { reason: 'unanswerable', detail: 'unanswerable: call 1 (x): there is no specification of x' },
  })
  const candidate = await candidateOf(sampleBenchmark, without, firstText(c))
  const score = sampleBenchmark.score({ case: without, candidate })
  const { measures } = sampleBenchmark.aggregate([{ case: c.id, sample: 0, score }], [without], {
    digest: '',
    model: 'm',
    options: {},
  })
  const values = (policy: string) =>
    measures!.find((one) => one.policy === policy && one.group === 'all')!.values
  expect(values('published')).toMatchObject({
    Samples: 1,
    Unanswerable: 1,
    Ceiling: 0,
    'Full sequence match': 1,
  })
  expect(values('sound')).toMatchObject({
    Samples: 0,
    Unanswerable: 1,
    Ceiling: 0,
    'Full sequence match': null,
  })
})
