/** Tables like those of the WAPIIBench paper, with the published columns beside them. */
import { expect, test } from '@jest/globals'
import type { ReportResult } from '@stateeval/contracts'
import { measureSections } from '../presentation/measures.ts'
import { drawFigure2, selectModelColumns, buildWapiiTables } from '../presentation/paper-tables.ts'

const values = (rate: number) => ({
  'Executable implementations (t)': 1,
  'Correct implementations (t)': rate,
  'Mean arg. val. cond. acc. (e)': rate,
  'Total errors': 3,
  Samples: 4,
})
const result = (model: string, setup: string, rate: number): ReportResult => ({
  digest: 'b',
  model,
  options: { setup },
  version: '1',
  overall: { passed: 1, scored: 4, rate: 0.25, interval: null },
  notScored: 0,
  verdicts: {},
  rootCauses: {},
  groups: {},
  measures: [
    { policy: 'published', group: 'all', name: 'all', values: values(rate) },
    { policy: 'published', group: 'api', name: 'slack', values: values(rate / 2) },
    { policy: 'sound', group: 'all', name: 'all', values: values(1) },
  ],
  disagreements: [
    {
      case: 'slack-1',
      sample: 0,
      verdicts: { published: 'wrong', sound: 'correct' },
      why: ['published: because'],
    },
  ],
  samples: [],
})
const published = {
  tables: {
    'III full completion': {
      models: ['GPT-4o'],
      rows: {
        'Correct implementations (t)': { 'GPT-4o': 0.6 },
        'Mean argument value conditional accuracy (e)': { 'GPT-4o': 0.95 },
      },
    },
    'VI full completion': { models: ['A', 'B'], rows: { 'Correct implementations (t)': [0.1, null] } },
    'X GPT-4o full': { columns: ['Overall', 'Slack'], rows: { 'Total errors': [1, 0] } },
  },
}

test('each setup has its tables, and the published columns stand beside', () => {
  const tables = buildWapiiTables(
    [result('m1', 'full', 0.5), result('m2', 'full', 0.25), result('m3', 'arguments', 0.75)],
    'published',
    published,
  )
  expect(tables.map(({ title }) => title)).toEqual([
    'Table III and Fig. 2 (top): Evaluation Results for Full Completion, published (* as published)',
    'Table VI: Complete Evaluation Results for Full Completion, published (* as published)',
    'Evaluation Results of m1 by API for Full Completion, published',
    'Evaluation Results of m2 by API for Full Completion, published',
    'Table X: Evaluation Results of GPT-4o by API for Full Completion (as published)',
    'Table IV and Fig. 2 (bottom): Evaluation Results for Argument Completion, published (* as published)',
    'Table VII: Complete Evaluation Results for Argument Completion, published (* as published)',
    'Evaluation Results of m3 by API for Argument Completion, published',
  ])
  const [third, sixth, m1, , tenth] = tables
  expect(third!.head).toEqual(['', 'm1', 'm2', 'GPT-4o *'])
  expect(third!.rows).toContainEqual(['Correct implementations (t)', '0.50', '0.25', '0.60'])
  expect(third!.rows).toContainEqual(['Mean arg. val. cond. acc. (e)', '0.50', '0.25', '0.95'])
  expect(sixth!.rows).toContainEqual(['Correct implementations (t)', '0.50', '0.25', '0.10', '–'])
  expect(sixth!.rows).toContainEqual(['Total errors', '3', '3', '–', '–'])
  expect(m1!.head).toEqual(['', 'Overall', 'Slack'])
  expect(m1!.rows).toContainEqual(['Correct implementations (t)', '0.50', '0.25'])
  expect(tenth!.rows).toEqual([['Total errors', '1', '0']])
})
test('the columns are the APIs of the set: those of the paper in its order, then its own', () => {
  const base = result('m', 'full', 0.5)
  const of = (name: string, rate: number) => ({
    policy: 'published',
    group: 'api',
    name,
    values: values(rate),
  })
  const measures = [
    of('constructor', 0.1),
    of('library', 0.2),
    of('slack', 0.3),
    of('asana', 0.4),
    ...base.measures!.slice(0, 1),
  ]
  const table = buildWapiiTables([{ ...base, measures }], 'published', { tables: {} }).find(({ title }) =>
    title.startsWith('Evaluation Results of m by API'),
  )!
  expect(table.head).toEqual(['', 'Overall', 'Asana', 'Slack', 'constructor', 'library'])
  expect(table.rows).toContainEqual(['Correct implementations (t)', '0.50', '0.40', '0.30', '0.10', '0.20'])
})
test('a report shows the policies side by side, and where they differ', () => {
  const sections = measureSections(result('m', 'full', 0.5))
  const [all, byApi, differing] = sections
  expect(all).toMatchObject({
    table: {
      head: ['full completion', 'published', 'sound'],
      rows: expect.arrayContaining([['Correct implementations (t)', '0.50', '1.00']]),
    },
  })
  expect(byApi).toMatchObject({ table: { head: ['by api, published', 'slack'] } })
  expect(differing).toEqual({
    lines: [
      'The policies differ about 1 sample:',
      '  slack-1 sample 0: published wrong, sound correct',
      '    published: because',
    ],
  })
  const { measures: _, ...plain } = result('m', 'full', 0.5)
  expect(measureSections(plain)).toEqual([])
})

test('of the published models only those that are wanted stand beside', () => {
  const heads = (...models: string[]) =>
    buildWapiiTables([result('m1', 'full', 0.5)], 'published', selectModelColumns(published, models)).map(
      ({ title, head }) => [title, ...head.slice(1)],
    )
  expect(heads('b')).toEqual([
    ['Table III and Fig. 2 (top): Evaluation Results for Full Completion, published (* as published)', 'm1'],
    ['Table VI: Complete Evaluation Results for Full Completion, published (* as published)', 'm1', 'B *'],
    ['Evaluation Results of m1 by API for Full Completion, published', 'Overall', 'Slack'],
  ])
  const [third, , , tenth] = buildWapiiTables(
    [result('m1', 'full', 0.5)],
    'published',
    selectModelColumns(published, ['gpt-4']),
  )
  expect(third!.rows).toContainEqual(['Correct implementations (t)', '0.50', '0.60'])
  expect(tenth!.title).toBe('Table X: Evaluation Results of GPT-4o by API for Full Completion (as published)')
  const [, sixth] = buildWapiiTables(
    [result('m1', 'full', 0.5)],
    'published',
    selectModelColumns(published, ['B']),
  )
  expect(sixth!.rows).toContainEqual(['Correct implementations (t)', '0.50', '–'])
})

test('samples that are left out are told in the title, which every choice of rows keeps', () => {
  const [measured] = result('m1', 'full', 1).measures!
  const some = {
    ...result('m1', 'full', 1),
    notScored: 3,
    measures: [{ ...measured!, values: { ...measured!.values, Vanished: 1 } }],
  }
  const titles = (results: ReportResult[]) =>
    buildWapiiTables(results, 'published', { tables: {} }).map(({ title }) => title)
  expect(titles([some, result('m2', 'full', 0.5)])).toEqual([
    'Table III and Fig. 2 (top): Evaluation Results for Full Completion, published (* as published); 4 of 8 samples of m1 count',
    'Table VI: Complete Evaluation Results for Full Completion, published (* as published); 4 of 8 samples of m1 count',
    'Evaluation Results of m1 by API for Full Completion, published; 4 of 8 samples of m1 count',
    'Evaluation Results of m2 by API for Full Completion, published',
  ])
  const running = { status: 'running', ended: 4, samples: 10 } as const
  expect(titles([{ ...result('m1', 'full', 1), partial: running }])[0]).toContain('; 4 of 10 samples of m1')
})

test('Fig. 2 has a bar for each model and published column', () => {
  const plots = drawFigure2(
    [result('m1', 'full', 0.5), result('m2', 'full', 0.25), result('m3', 'arguments', 0.75)],
    'published',
    published,
  )
  const shown = plots.map((plot) => [
    plot.label,
    plot.form === 'rates' ? plot.rows.map(({ name, rate }) => [name, rate]) : [],
  ])
  expect(shown).toHaveLength(14)
  expect(shown[0]).toEqual([
    'Full Completion: Correct implementations (t)',
    [
      ['m1', 0.5],
      ['m2', 0.25],
      ['GPT-4o *', 0.6],
    ],
  ])
  expect(shown[8]![0]).toBe('Argument Completion: Correct implementations (t)')
})
