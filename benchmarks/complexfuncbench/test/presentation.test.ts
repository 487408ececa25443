/** What commands show of evaluations, over scripted dialogues: report, tables of the paper, comparison. */
import { expect, test } from '@jest/globals'
import { partial } from '@stateeval/testkit/partial'
import type { ComparisonResource, ReportResult, ScoredSample } from '@stateeval/contracts'
import presentation from '../presentation/index.ts'
import { lead, type Saying } from './lead.ts'
import { but, caseOf, details, flights, lis, osl, seats, trip } from './paths.ts'

const here = caseOf(trip)
const c = here.cases[0]!
const scripts: Saying[][] = [
  [[lis, osl], [flights], [details, seats], 'Done.'],
  [[lis, osl], [but(flights, { toId: 'BGO.AIRPORT' })], 'Done.'],
  [[lis, osl], 'Done.'],
]
const samples = await Promise.all(
  scripts.map(async (script, sample): Promise<ScoredSample> => {
    const { score } = await lead(here, c, script)
    return { case: c.id, sample, score }
  }),
)
const resultOf = (model: string, of: readonly ScoredSample[]): ReportResult =>
  here.benchmark.aggregate(of, here.cases, { digest: 'd', model, options: {} })
const all = resultOf('all', samples)
const right = resultOf('right', samples.slice(0, 1))

test('a report is the same in whatever order samples come, and shows all of its parts', () => {
  expect(resultOf('all', [...samples].reverse())).toEqual(all)
  expect(all.verdicts).toMatchObject({ success: 1, value_error: 1, stop_early: 1 })
  const titles = presentation.sections!(all).map(({ title }) => title)
  expect(titles.slice(0, 4)).toEqual(['Function calling and answers', 'By domain', 'By parameter', 'Steps'])
  const [errors] = presentation.failureSections!(all)
  expect(errors && 'parts' in errors && errors.parts.rows[0]).toMatchObject({ name: 'all' })
  const values = presentation.columns!(all).map(({ name, of }) => [name, of(samples[1]!)])
  expect(Object.fromEntries(values)).toMatchObject({ correct_calls: 2, total_calls: 5, steps: 2 })
})

test('Table 2 divides as each policy does, with the published rows below', () => {
  const published = { tables: { 2: { rows: { 'GPT-4o': [70, 81.99], 'GLM-4-Long': [56, 63.98] } } } }
  const of = (policy: string) => presentation.paper!.tables([all, right], policy, published, ['gpt-4o'])[0]!
  expect(of('published').rows.map((row) => row.slice(0, 3))).toEqual([
    // One success of 150, and 9 of 15 calls.
    ['all', '0.67', '60.00'],
    ['right', '0.67', '100.00'],
    ['GPT-4o *', '70.00', '81.99'],
  ])
  // What the other policy cannot judge counts in none of its rates.
  expect(of('sound').rows[1]!.slice(0, 3)).toEqual(['right', '100.00', '100.00'])
  const [, figure4, figure5, , figure6] = presentation.paper!.tables([all], 'published', { tables: {} })
  expect(figure4?.rows).toEqual([['all', '0.0', '0.0', '0.0', '50.0', '50.0']])
  expect(figure5?.head).toContain('location')
  expect(figure6?.rows).toEqual([['all', '2.00', '3.00', '-1.00']])
})

test('the published Table 2 ships with ranks among all models', () => {
  const [table] = presentation.paper!.tables([all, right], 'published', { tables: {} })
  expect(table!.rows.map((row) => [row[0], row[11], row.at(-1)])).toEqual([
    ['all', '0.10', '12'],
    ['right', '0.10', '12'],
    ['Claude-3.5-Haiku *', '45.80', '5'],
    ['Claude-3.5-Sonnet *', '61.00', '1'],
    ['GLM-4-Long *', '57.10', '3'],
    ['GPT-4-Turbo *', '49.50', '4'],
    ['GPT-4o *', '60.50', '2'],
    ['Qwen2.5-7B *', '5.00', '9'],
    ['Llama-3.1-8B *', '0.10', '12'],
    ['GLM-4-9B *', '9.40', '8'],
    ['Llama-3.1-70B *', '2.70', '11'],
    ['Llama-3.1-405B *', '4.00', '10'],
    ['Qwen2.5-72B *', '40.10', '6'],
    ['Mistral Large 2 *', '20.10', '7'],
  ])
  // Under sound, one of two judged samples succeeds.
  const [sound] = presentation.paper!.tables([right], 'sound', { tables: {} })
  expect(sound!.rows[0]!.at(-1)).toBe('1')
})

test('what stages of matching contribute is told from stored decisions', async () => {
  const consult = (need: { kind: string; role?: string }) =>
    need.kind === 'consult' && need.role === 'judge:match'
      ? ({ kind: 'consulted', text: '{"is_equal": true}', finish: 'stop' } as const)
      : ({ kind: 'unavailable', reason: 'not_configured', detail: 'nobody' } as const)
  const judged = await lead(here, c, [[but(lis, { query: 'Lisboa' }), osl], ...scripts[0]!.slice(1)], {
    consult,
  })
  expect(judged.score.metrics).toMatchObject({ matched_by_judge: 1 })
  const result = resultOf('judged', [...samples.slice(0, 1), { case: c.id, sample: 1, score: judged.score }])
  const values = result.measures!.find((one) => one.policy === 'published' && one.group === 'all')!.values
  expect(values).toMatchObject({
    'Success rate': 0.002,
    'Success rate without the judge': 0.001,
    'Success rate without responses': 0.002,
    'Success rate by rule alone': 0.001,
    'Call accuracy': 1,
    'Call accuracy without the judge': 0.9,
    'Call accuracy by rule alone': 0.9,
  })
  const section = presentation.sections!(result).find(({ title }) => title === 'Without stages of matching')
  expect(section && 'table' in section && section.table.rows[0]).toEqual(['all stages', '0.2 %', '100.0 %'])
})

test('a comparison has the error types of each model', () => {
  const compared = partial<ComparisonResource>({
    comparison: { models: [{ name: 'all' }, { name: 'right' }] },
    errors: [all, right].map((result) => [...result.errors![here.benchmark.reporting!.comparedErrors!]!]),
  })
  const [section] = presentation.comparisonSections!(compared)
  expect(section && 'table' in section && section.table.rows).toEqual([
    ['all', 0, 0, 0, 1, 1],
    ['right', 0, 0, 0, 0, 0],
  ])
})
