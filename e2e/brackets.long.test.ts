/**
 * A law for every door through which rates leave: where samples have no score, each rate that the door shows
 * has its bracket beside it; where all have one, there is no bracket.
 */
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  type Certificate,
  type EvaluationResource,
  type Report,
  type TableFormat,
  tableFormats,
} from '@stateeval/contracts'
import { noUsage } from '@stateeval/models'
import { writeTable } from '@stateeval/tables'
import { partial } from '@stateeval/testkit/partial'
import { parquetReadObjects } from 'hyparquet'
import pico from 'picocolors'
import type { Browser } from 'playwright-core'
import { formatCertificate } from '../apps/cli/src/certificate/text.ts'
import { formatComparison } from '../apps/cli/src/report/comparison.ts'
import { formats } from '../apps/cli/src/report/index.ts'
import { formatReportMarkdown } from '../apps/cli/src/report/markdown.ts'
import { drawIntervals } from '../apps/cli/src/report/plots.ts'
import { describeSpending } from '../apps/cli/src/suite/conclude.ts'
import { listReportMetrics } from '../apps/cli/src/track/track.ts'
import { buildEveryEvalEver } from '../services/evaluation/src/exports/every-eval-ever.ts'
import { buildInspectHeader } from '../services/evaluation/src/exports/inspect/header.ts'
import { reportsTable } from '../services/evaluation/src/exports/reports.ts'
import type { EvaluationOwner } from '@stateeval/jobs'
import { summarizeReport } from '../services/evaluation/src/routes/evaluation-summary.ts'
import { storedEvaluation } from '../services/evaluation/test/stored.ts'
import { completed, figures, shown, type Shown } from './brackets/figures.ts'
import { buildPage, hasBrowser, startBrowser } from './dashboard/browser.ts'
import { python, runInPython } from './episodes/python.ts'
import { hostileFile, startHostileService } from './dashboard/hostile-service.ts'

interface Door {
  name: string
  /** Places whose rates it shows at least. */
  shows: RegExp
  /** How it writes a rate: 20.1 or 0.201. */
  as: 'percent' | 'share'
  text: (of: Shown) => string | Promise<string>
}

const reported = /^(overall|first try|pass[@^]k|api|length|mutation|operator)/

let browser: Browser | undefined
let scratch = ''
beforeAll(async () => {
  if (!hasBrowser) return
  scratch = await mkdtemp(join(tmpdir(), 'stateeval-brackets-'))
  await buildPage()
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  if (scratch) await rm(scratch, { recursive: true })
})

const answersOf = ({ report, comparison, listed, samples }: Shown) => ({
  getEvaluation: listed[0],
  listEvaluations: { items: listed },
  getEvaluationSummary: summarizeReport(report),
  createComparison: comparison,
  listEvaluationSamples: samples,
})
async function textAt(url: string, awaited: string): Promise<string> {
  const page = await browser!.newPage({ locale: 'en-US' })
  await page.goto(url)
  await page.getByText(awaited).first().waitFor()
  await page.waitForLoadState('networkidle')
  const text = await page.innerText('body')
  await page.close()
  return text
}
const view = (name: string, shows: RegExp, path: (of: Shown) => string, awaited: string): Door => ({
  name: `the dashboard's view ${name}`,
  shows,
  as: 'percent',
  async text(of) {
    const service = await startHostileService(answersOf(of), (value) => value)
    const text = await textAt(`${service.base}${path(of)}`, awaited)
    await service.stop()
    return text
  },
})
const idOf = ({ listed }: Shown, n = 0) => listed[n]!.id
const inBrowser: Door[] = [
  view('Evaluations', /^counts/, () => '/evaluations', 'mutant'),
  view('Evaluation', reported, (of) => `/evaluations/${idOf(of)}`, 'Cost and time'),
  view(
    'Cases',
    /^baseline/,
    (of) => `/evaluations/${idOf(of)}/cases?baseline=${idOf(of, 1)}`,
    'Than the baseline',
  ),
  view(
    'Compare',
    /^(compared (qwen|other)$|baseline)/,
    (of) => `/compare?baseline=${idOf(of)}&others=${encodeURIComponent(JSON.stringify([idOf(of, 1)]))}`,
    '→',
  ),
  view(
    'A benchmark',
    /^(overall|mutation)$/,
    () => '/benchmarks/bm_0mwrxs2fs2b2656bafc',
    'exactly one reading',
  ),
  {
    name: 'the HTML report',
    shows: reported,
    as: 'percent',
    async text(of) {
      const file = join(scratch, 'report.html')
      await writeFile(file, await hostileFile(answersOf(of)))
      return textAt(pathToFileURL(file).href, 'Cost and time')
    },
  },
]

/** An evaluation whose report is this one. */
const ownerOf = ({ result }: Report): EvaluationOwner & { ended: NonNullable<EvaluationOwner['ended']> } => ({
  ...storedEvaluation({ baseUrl: 'http://127.0.0.1:9/v1', model: 'x' }, { status: 'succeeded' }),
  ended: {
    ...{ scored: 9, passed: 7, notScored: result.notScored, retries: 0, runtimes: [], usage: noUsage },
    ...{ result: 'result', figures: 'figures', host: 'lab-1' },
  },
})
async function reportsAs(format: TableFormat, report: Report): Promise<string> {
  async function* rows() {
    yield { owner: ownerOf(report), result: report.result }
  }
  const pieces = await Array.fromAsync(writeTable(format, reportsTable, rows()))
  if (format !== 'parquet') return pieces.join('')
  const { buffer } = new Uint8Array(Buffer.concat(pieces.map((piece) => Buffer.from(piece))))
  return JSON.stringify(await parquetReadObjects({ file: buffer }), (_name, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
}
function certificateOf({ scored, passed, notScored }: EvaluationResource['counts']): Certificate {
  const mutation = { ...{ caught: passed, survived: scored - passed, notScored }, score: passed / scored }
  const statement = partial<Certificate['statement']>({
    ...{ benchmark: partial({ digest: 'a', kind: 'stateeval' }), madeAt: 'today', version: '7' },
    ...{ replay: [], roundTrip: null, failedByAll: { models: [], cases: [] } },
    mutation: partial(mutation),
  })
  return { statement, signature: partial({ keyId: 'key' }) }
}

const colors = pico.createColors(false)
const json = (value: unknown) => JSON.stringify(value)

/** What the command prints; each format of `stateeval report` is a door, also those to come. */
const ofCommand: Door[] = [
  ...Object.entries(formats).map(([name, format]): Door => ({
    name: `stateeval report --format ${name}`,
    // Lists of samples have no rates; a CI system reads tests, and the rate is a property beside them.
    shows: { table: reported, json: reported, junit: /^overall/ }[name] ?? /^$/,
    as: name === 'table' ? 'percent' : 'share',
    text: ({ report }) => format(report, colors),
  })),
  {
    name: 'a summary in Markdown',
    shows: /^overall/,
    as: 'percent',
    text: ({ report }) => formatReportMarkdown(report),
  },
  {
    name: 'stateeval compare',
    shows: /^(compared (qwen|other|api)(?!.* 1$)|differing)/,
    as: 'percent',
    text: ({ comparison }) => formatComparison(comparison, colors),
  },
  {
    name: 'the progress of an evaluation',
    shows: /^counts/,
    as: 'percent',
    text: ({ listed }) => json(describeSpending(listed[0]!)),
  },
  {
    name: 'a certificate',
    shows: /^counts/,
    as: 'percent',
    text: ({ listed }) => formatCertificate(certificateOf(listed[0]!.counts)),
  },
  {
    name: 'a plot of rates',
    shows: /^overall/,
    as: 'percent',
    text: ({ report: { result } }) => drawIntervals('pass@1', [{ name: result.model, ...result.overall }]),
  },
]

/** Files and records of others, each in its own form. */
const exported: Door[] = [
  {
    name: 'MLflow',
    shows: /^(overall|api|length|pass@k|published|sound)/,
    as: 'share',
    text: ({ report }) => json(listReportMetrics(report)),
  },
  {
    name: 'Every Eval Ever',
    shows: /^(overall|pass[@^]k 2|mutation|published|sound)/,
    as: 'share',
    text: ({ report }) =>
      json(buildEveryEvalEver(ownerOf(report), report.result, { organization: 'us', relationship: 'other' })),
  },
  {
    name: 'Inspect',
    shows: /^(overall|api|length|pass[@^]k 2|mutation|published|sound)/,
    as: 'share',
    text: ({ report }) => json(buildInspectHeader(ownerOf(report), report.result, [])),
  },
  ...tableFormats.map((format): Door => ({
    name: `stateeval export reports --format ${format}`,
    shows: /^(overall|mutation)$/,
    as: 'share',
    text: ({ report }) => reportsAs(format, report),
  })),
]

/** What a report becomes in the client for Python, from one process for all. */
const inPython = (name: string, as: Door['as'], shows: RegExp): Door => ({
  name: `the client for Python: ${name}`,
  shows,
  as,
  text: async ({ report }) => {
    const said = await runInPython<Record<string, string>>('../brackets/doors.py', json(report))
    return said[name]!
  },
})
const ofPython: Door[] = [
  inPython('repr', 'percent', /^overall/),
  inPython('html', 'percent', /^(overall|api|length)/),
  inPython('groups', 'share', /^(api|length)/),
  inPython('wandb', 'share', /^(overall|pass@k|mutation|published|sound)/),
  inPython('evalhub', 'share', /^(overall|pass@k|mutation|api|length|published|sound)/),
]

const doors: Door[] = [
  ...(hasBrowser ? inBrowser : []),
  ...ofCommand,
  ...exported,
  ...(python === undefined ? [] : ofPython),
]

/** Sources from which rates leave. */
const sources = [
  ...['apps/*/src/**/*.{ts,tsx}', 'services/evaluation/src/**/*.ts', 'packages/score/src/gate/*.ts'],
  ...['benchmarks/*/presentation/**/*.ts', 'packages/program/src/presentation/**/*.ts'],
  ...['clients/python/src/**/*.py', 'clients/typescript/src/**/*.ts'],
]
/** These read a rate and need no bracket. */
const exempt: Readonly<Record<string, string>> = {
  'apps/dashboard/src/pure/listed.ts': 'an order',
  'apps/dashboard/src/pure/pace.ts': 'items per second',
  'packages/score/src/gate/sentences.ts': 'cases with scores on both sides; samples without one are a check',
}
/** Whether code reads a rate, or computes one of counts, and knows no bracket nor a part that has one. */
function readsBareRate(source: string): boolean {
  const code = source.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '')
  return (
    /\.rate\b|(?<!\$)\{[^{}\n]*\brate\b[^{}\n]*\}|\[["']rate["']\]|passed \/ /.test(code) &&
    !/bracket|<Rate\b/i.test(code)
  )
}

test('a source that reads a rate knows its bracket, or is exempt', () => {
  const root = join(import.meta.dirname, '..')
  const files = globSync(sources, { cwd: root }).filter((file) => !file.includes('.test.'))
  const bare = files.filter((file) => readsBareRate(readFileSync(join(root, file), 'utf8')))
  expect(bare.sort()).toEqual(Object.keys(exempt))
  for (const code of [
    'percent(result.overall.rate)',
    'const { rate } = overall',
    'of["rate"]',
    'passed / scored',
  ])
    expect([readsBareRate(code), readsBareRate(`${code}; bracketOf(overall)`)]).toEqual([true, false])
})

/** Whether a text has a share as a number of its own. */
function has(text: string, share: number, as: Door['as']): boolean {
  const number = as === 'percent' ? (share * 100).toFixed(1) : String(share)
  return new RegExp(`(?<![\\d.])${number.replace('.', '\\.')}(?!\\d)`).test(text)
}

test.each(doors)('$name shows the bracket of every rate', async ({ shows, as, text }) => {
  const isIn = (whole: string) => (share: number) => has(whole, share, as)
  const partial = isIn(await text(shown))
  const ofRates = figures.filter(({ rate }) => partial(rate))
  const absent = figures.filter(({ place }) => shows.test(place)).filter((one) => !ofRates.includes(one))
  expect(absent).toEqual([])
  expect(ofRates.filter(({ bracket }) => !bracket.every(partial))).toEqual([])
  const complete = isIn(await text(completed(shown)))
  expect(figures.filter(({ bracket }) => bracket.some(complete))).toEqual([])
})
