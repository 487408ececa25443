/** The order of runs, and exhibits as files. */
import { expect, test } from '@jest/globals'
import { partial } from '@stateeval/testkit/partial'
import { exampleReport } from '../../../../packages/contracts/src/examples/report.ts'
import { exampleCoverage } from '../../../../packages/contracts/src/examples/generations.ts'
import { findPresentation } from '../suite/kinds.ts'
import type { PaperExhibit, PaperRequest, PaperRun } from '@stateeval/program/presentation'
import { buildFiles, formatExhibits } from './files.ts'
import { runPaper } from './run.ts'

const request: PaperRequest = {
  exhibits: ['full'],
  models: ['a', 'b'],
  baselines: [],
  scenarios: [],
  programs: 4,
  keep: 4,
  samples: 2,
  repeats: 1,
  seed: 1,
}

test('runs depend on the results of earlier ones, and none is run twice', async () => {
  const names: string[] = []
  const generation = (name: string): PaperRun => ({
    name,
    what: 'generation',
    request: { scenario: 'session-service' },
  })
  const { ids } = await runPaper(
    { runs: (_, results) => [generation('first'), ...(results.has('first') ? [generation('second')] : [])] },
    request,
    async ({ name }) => {
      names.push(name)
      return { id: `gen_${name}`, result: { what: 'generation', coverage: exampleCoverage } }
    },
  )
  expect(names).toEqual(['first', 'second'])
  expect(ids).toEqual({ first: 'gen_first', second: 'gen_second' })
})

test('a kind of published data: imported once, each model evaluated on it, shown as the tables of its paper', async () => {
  const reproduction = findPresentation('wapiibench')!.reproduction!
  const requests: unknown[] = []
  const { results } = await runPaper(reproduction, request, async (run, sets) => {
    if (run.what === 'dataset')
      return { id: 'bm_1', result: { what: 'benchmark', benchmark: partial({ id: 'bm_1' }) } }
    if (run.what !== 'evaluation') throw new Error(`unexpected ${run.what}`)
    requests.push([sets.get(run.benchmark), run.request])
    const measures = [
      {
        policy: 'published',
        group: 'all',
        name: 'all',
        values: { 'Correct implementations (t)': run.request.model === 'a' ? 0.25 : 0.5 },
      },
    ]
    const report = {
      ...exampleReport,
      result: { ...exampleReport.result, model: run.request.model!, options: { setup: 'full' }, measures },
    }
    return { id: 'ev_1', result: { what: 'evaluation', report } }
  })
  expect(requests).toEqual(
    ['a', 'b'].map((model) => ['bm_1', { setup: 'full', settings: 'published', model, samples: 2 }]),
  )
  const [, reference] = reproduction.runs({ ...request, models: ['reference'] }, new Map())
  expect(reference).toMatchObject({ request: { setup: 'full', model: 'reference', samples: 2 } })
  expect(reference).not.toHaveProperty('request.settings')
  const [exhibit] = reproduction.show(request, results)
  const [table] = exhibit!.tables
  expect(table!.head).toEqual(['', 'a', 'b'])
  expect(table!.rows.find(([name]) => name === 'Correct implementations (t)')).toEqual([
    'Correct implementations (t)',
    '0.25',
    '0.50',
  ])
})

const exhibits: PaperExhibit[] = [
  {
    id: '1',
    title: 'Table I: statistics',
    tables: [{ title: 'means', head: ['statistics', 'all'], rows: [['a|b', '1,5']] }],
    plots: [],
    notes: ['A note.'],
  },
  {
    id: 'fig3',
    title: 'Fig. 3: coverage',
    tables: [],
    plots: [
      {
        form: 'curves',
        label: 'one <scenario>',
        x: 'programs',
        curves: [{ name: 'planned', values: [0.25, 1], low: [0, 1], high: [0.5, 1] }],
      },
      { form: 'rates', label: 'pass@1', rows: [{ name: 'a', rate: null, interval: null }] },
      {
        form: 'parts',
        label: 'errors',
        names: 'model',
        sum: 'failed',
        parts: ['syntax'],
        rows: [{ name: 'a', counts: [3] }],
      },
    ],
    notes: [],
  },
]

test('each exhibit is written as Markdown, CSV and SVG, and all of them on one page', () => {
  const files = buildFiles('A paper', exhibits)
  expect(Object.keys(files)).toEqual([
    'paper.md',
    'table-1.md',
    'table-1.csv',
    'fig3.md',
    'fig3-1.svg',
    'fig3-2.svg',
    'fig3-3.svg',
  ])
  expect(files['table-1.csv']).toBe('means\r\nstatistics,all\r\na|b,"1,5"\r\n')
  expect(files['paper.md']).toContain('# A paper\n\n## Table I: statistics\n\n### means')
  expect(files['paper.md']).toContain('a\\|b')
  expect(files['fig3.md']).toContain('![pass@1](fig3-2.svg)')
  for (const [name, content] of Object.entries(files))
    if (name.endsWith('.svg')) {
      expect(content).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[^]*<\/svg>\n$/)
      expect(content).not.toMatch(/NaN|undefined|Infinity/)
    }
  // From 0.25 at a quarter of the height to 1 at the top; the range behind it.
  expect(files['fig3-1.svg']).toContain('points="60.0,192.5 450.0,20.0" fill="none"')
  expect(files['fig3-1.svg']).toContain('points="60.0,135.0 450.0,20.0 450.0,20.0 60.0,250.0"')
  expect(files['fig3-1.svg']).toContain('one &lt;scenario&gt;')
  expect(buildFiles('A paper', structuredClone(exhibits))).toEqual(files)
})

test('a terminal shows titles, tables and notes', () => {
  expect(formatExhibits(exhibits, 80)).toMatch(
    /^Table I: statistics\n\nmeans\n[^]*A note\.\n\n\nFig\. 3: coverage$/,
  )
})
