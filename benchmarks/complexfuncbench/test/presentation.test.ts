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
  const of = (policy: string) => presentation.paper!.tables([all, right], policy, published, ['gpt'])[0]!
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

test('a comparison has the error types of each model', () => {
  const compared = partial<ComparisonResource>({
    comparison: { models: [{ name: 'all' }, { name: 'right' }] },
    errors: [all, right].map((result) => [...here.benchmark.comparedErrors!(result)]),
  })
  const [section] = presentation.comparisonSections!(compared)
  expect(section && 'table' in section && section.table.rows).toEqual([
    ['all', 0, 0, 0, 1, 1],
    ['right', 0, 0, 0, 0, 0],
  ])
})
