/** The paper's tables and figures, from reports that the benchmark itself aggregates. */
import { expect, test } from '@jest/globals'
import type { Report, ReportResult, Score, ScoredSample } from '@stateeval/contracts'
import { isCall, measurePathDepth, listWrittenSteps } from '@stateeval/program'
import type { PaperRequest, PaperResult } from '@stateeval/program/presentation'
import { builtBenchmark } from '../../../packages/contracts/src/examples/benchmarks.ts'
import { exampleReport } from '../../../packages/contracts/src/examples/report.ts'
import { exampleCoverage } from '../../../packages/contracts/src/examples/generations.ts'
import { reproduction } from '../presentation/paper/index.ts'
import { benchmark, cases } from './cases.ts'

const all = cases(12)
const request: PaperRequest = {
  exhibits: reproduction.exhibits.map(({ id }) => id),
  models: ['good', 'bad'],
  baselines: [],
  scenarios: ['session-service'],
  programs: 12,
  keep: 4,
  samples: 1,
  repeats: 2,
  seed: 7,
}

const score = (verdict: string, cause?: string): Score => ({
  passed: verdict === 'passed',
  verdict,
  metrics: { pass: verdict === 'passed' ? 1 : 0 },
  evidence: {
    differences: [],
    ...(cause !== undefined && { rootCause: { cause, because: 'it is scripted' } }),
  },
})
function reportOf(model: string, verdicts: readonly (string | null)[]): Report {
  const samples = verdicts.map((verdict, at): ScoredSample => ({
    case: all[at]!.id,
    sample: 0,
    score:
      verdict === null ? null : score(verdict, verdict === 'passed' ? undefined : 'documentation_misread'),
    ...(verdict === null && { notScored: 'the endpoint was down' }),
  }))
  const result: ReportResult = benchmark.aggregate(samples, all, { digest: 'd', model, options: {} })
  return { ...exampleReport, result }
}

const passed = (count: number) => Array.from({ length: count }, () => 'passed')
const reports: Record<string, Report> = {
  good: reportOf('good', passed(12)),
  bad: reportOf('bad', [...passed(3), 'syntax_error', 'no_code', 'execution_error', 'timeout', 'result_error', 'result_error', 'result_error', 'result_error', null]), // oxfmt-ignore
}
const settings = { baseUrl: 'http://127.0.0.1:1/v1', model: 'bad-7b', parameters: { temperature: 0 } }

/** Answers each run, and remembers it. */
function results(of: PaperRequest) {
  const byName = new Map<string, PaperResult>()
  const runs = reproduction.runs(of, byName)
  for (const run of runs)
    switch (run.what) {
      case 'generation': {
        const { strategy = 'planned', seed } = run.request
        const atc = strategy === 'planned' ? [0.5, 1] : String(seed).endsWith('/2') ? [0.2, 0.4, 0.6, 0.8] : [0, 0.2, 0.4, 0.6] // oxfmt-ignore
        byName.set(run.name, { what: 'generation', coverage: { ...exampleCoverage, atc } })
        break
      }
      case 'benchmark':
        byName.set(run.name, { what: 'benchmark', benchmark: builtBenchmark })
        break
      case 'evaluation':
        byName.set(run.name, { what: 'evaluation', report: reports[run.request.model!]! })
        break
      case 'prompts':
        byName.set(run.name, { what: 'prompts', tokens: [400, 500] })
        break
      case 'model': {
        const isAsked = run.model === 'bad'
        const model = {
          name: run.model,
          kind: isAsked ? ('endpoint' as const) : ('built-in' as const),
          links: {},
        }
        byName.set(run.name, { what: 'model', model: { ...model, ...(isAsked && { settings }) } })
        break
      }
      case 'dataset':
        throw new Error('there is no published data')
    }
  return { runs, exhibits: reproduction.show(of, byName) }
}
const { runs, exhibits } = results(request)
const tableOf = (id: string, at = 0) => exhibits.find((one) => one.id === id)!.tables[at]!
const rowOf = (id: string, name: string, at = 0) => tableOf(id, at).rows.find(([first]) => first === name)

test('sets, curves and evaluations are asked for once each, with the paper’s five calls', () => {
  expect(runs.map(({ name }) => name)).toEqual([
    'set of session-service',
    'prompts of session-service',
    ...['planned', 'coverage', 'random'].flatMap((strategy) =>
      [1, 2].map((repeat) => `${strategy} in session-service, repeat ${repeat}`),
    ),
    ...['good', 'bad'].flatMap((model) => [`settings of ${model}`, `${model} on session-service`]),
  ])
  expect(runs[0]).toMatchObject({
    request: { build: { scenario: 'session-service', programs: 12, keep: 4, seed: 7 } },
  })
  expect(runs.slice(2, 6)).toMatchObject([
    { request: { count: 4, strategy: 'planned', seed: 7, observable: true } },
    { request: { seed: '7/2' } },
    { request: { strategy: 'coverage', seed: 7, observable: false } },
    { request: { seed: '7/2' } },
  ])
})

test.each<[string, string[]]>([
  ['1', ['set of session-service', 'prompts of session-service']],
  ['fig3', [1, 2].map((repeat) => `planned in session-service, repeat ${repeat}`)],
])('only what %s needs is run', (id, names) => {
  const { runs, exhibits } = results({ ...request, exhibits: [id] })
  expect(runs.map(({ name }) => name).slice(0, names.length)).toEqual(names)
  expect(exhibits.map((one) => one.id)).toEqual([id])
})

test('Table I shows the manifest’s means beside the paper’s', () => {
  expect(rowOf('1', 'prompt without documentation (tokens)')!.slice(0, 3)).toEqual([
    'prompt without documentation (tokens)',
    '450.00',
    '450.00',
  ])
  expect(rowOf('1', 'code length (tokens)')).toEqual([
    'code length (tokens)',
    '377.20',
    '377.20',
    '53.85',
    '42.06',
    '112.44',
    '44.30',
    '442.11',
  ])
  expect(rowOf('1', 'path depth (released analyser)')!.filter((_, at) => [1, 7].includes(at))).toEqual([
    '1.52',
    '2.00',
  ])
})

test('Table II names the endpoint’s model; built-in ones use nothing', () => {
  expect(rowOf('2', 'good')).toEqual(['good', 'built in', '–', '–', '–', '–', '–'])
  expect(rowOf('2', 'bad')!.slice(0, 2)).toEqual(['bad', 'bad-7b'])
  expect(JSON.stringify(exhibits)).not.toContain('127.0.0.1')
})

test('Fig. 3 shows means over the seeds; a generation that gave up keeps its last value', () => {
  expect(tableOf('fig3').head).toEqual(['N', '1', '2', '3', '4'])
  expect(rowOf('fig3', 'planned')).toEqual(['planned', '0.50', '1.00', '1.00', '1.00'])
  expect(rowOf('fig3', 'random (w/o COV)')).toEqual(['random (w/o COV)', '0.10', '0.30', '0.50', '0.70'])
  const [plot] = exhibits.find(({ id }) => id === 'fig3')!.plots
  expect(plot).toMatchObject({
    curves: [{ low: [0.5, 1, 1, 1] }, {}, { low: [0, 0.2, 0.4, 0.6], high: [0.2, 0.4, 0.6, 0.8] }],
  })
})

test('Fig. 4 counts scored samples only, and says what was not scored', () => {
  expect(rowOf('fig4', 'good')!.slice(0, 2)).toEqual(['good', '100.0 % (12/12)'])
  expect(rowOf('fig4', 'bad')!.slice(0, 2)).toEqual(['bad', '27.3 % [25.0–33.3 %] (3/11)'])
  expect(rowOf('fig4', 'GPT-4.1 *')).toEqual(['GPT-4.1 *', '56.0 %', '–'])
  expect(exhibits.find(({ id }) => id === 'fig4')!.notes).toEqual([
    'bad: 1 sample has no score; the rates exclude it, and brackets show the ends with it as failed and as passed.',
  ])
})

test('Fig. 4 by path depth agrees with the cases themselves', () => {
  const depths = [...new Set(all.map(({ program }) => measurePathDepth(program)))].sort((a, b) => a - b)
  expect(depths.length).toBeGreaterThan(1)
  expect(all.every(({ program }) => listWrittenSteps(program).some(isCall))).toBe(true)
  expect(tableOf('fig4', 1).head).toEqual(['path depth', ...depths.map(String)])
  const counts = depths.map((depth) => {
    const scored = all
      .slice(0, 11)
      .flatMap(({ program }, at) => (measurePathDepth(program) === depth ? [at < 3] : []))
    return `(${scored.filter(Boolean).length}/${scored.length})`
  })
  expect(rowOf('fig4', 'bad', 1)!.slice(1).map((cell) => cell.replace(/^.* /, ''))).toEqual(counts) // oxfmt-ignore
})

test('Fig. 5 has the paper’s three types, with their shares of the failures', () => {
  expect(rowOf('fig5', 'bad')).toEqual([
    'bad',
    'session-service',
    '8',
    '2 (25.0 %)',
    '2 (25.0 %)',
    '4 (50.0 %)',
  ])
  expect(rowOf('fig5', 'good')).toEqual(['good', 'session-service', '0', '0', '0', '0'])
})

test('RQ5 counts root causes', () => {
  const at = tableOf('rq5').head.indexOf('documentation misread')
  expect(rowOf('rq5', 'bad')![at]).toBe('8')
  expect(rowOf('rq5', 'good')![at]).toBe('0')
})

test('the LLM-only baseline asks again for as many programs as are missing, five questions a program at most', () => {
  const of = { ...request, exhibits: ['fig3'], baselines: ['m'] }
  const byName = new Map<string, PaperResult>()
  const sampleCounts: number[] = []
  const usable = [1, 1, 3]
  for (;;) {
    const next = reproduction.runs(of, byName).find(({ name }) => !byName.has(name))
    if (!next) break
    if (next.what === 'generation') {
      byName.set(next.name, { what: 'generation', coverage: exampleCoverage })
    } else if (next.what === 'benchmark') {
      expect(next.request).toMatchObject({ kind: 'llm-only', build: { programs: 1, length: 5 } })
      byName.set(next.name, { what: 'benchmark', benchmark: builtBenchmark })
    } else if (next.what === 'evaluation') {
      const samples = next.request.samples!
      const count = usable[sampleCounts.push(samples) - 1] ?? 3
      const measure = (group: string, values: Record<string, number>) => ({ policy: 'static', group, name: 'c', values }) // oxfmt-ignore
      const { result } = reports['good']!
      const report: Report = {
        ...exampleReport,
        result: {
          ...result,
          overall: { ...result.overall, passed: count },
          verdicts: { passed: count, no_result: samples - count },
          measures: [
            measure('growth, usable', { '10': 0.3, '2': 0.2, '1': 0.1 }),
            measure('growth, read', { '1': 0.2 }),
          ],
        },
      }
      byName.set(next.name, { what: 'evaluation', report })
    }
  }
  // Four are wanted: three are missing, then three, then one each time, up to twenty.
  expect(sampleCounts).toEqual([4, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
  const [exhibit] = reproduction.show(of, byName)
  const rows = exhibit!.tables[0]!.rows
  expect(rows.at(-2)).toEqual(['llm-only m', '0.10', '0.20', '0.30', '–'])
  expect(rows.at(-1)).toEqual(['llm-only m, every program', '0.20', '–', '–', '–'])
  expect(exhibit!.notes.at(-1)).toBe('m, session-service: 3 usable of 20 answers; the others: 17 no result.')
})
