/**
 * A law for every door through which rates leave: where samples have no score, each rate that the door shows
 * has its bracket beside it; where all have one, there is no bracket.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { summaryOf } from '../services/evaluation/src/routes/evaluation-summary.ts'
import { completed, figures, shown, type Shown } from './brackets/figures.ts'
import { buildPage, hasBrowser, startBrowser } from './dashboard/browser.ts'
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
  getEvaluationSummary: summaryOf(report),
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

const doors: Door[] = [...(hasBrowser ? inBrowser : [])]

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
