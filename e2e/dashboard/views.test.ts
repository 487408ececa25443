/** Every view of the dashboard in a real browser, with hostile texts in all that it is told. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { evaluationOperations } from '@stateeval/contracts'
import {
  axeFaults,
  buildPage,
  complaintsOf,
  hasBrowser,
  intrusionsIn,
  noIntrusion,
  startBrowser,
  widthBeyond,
} from './browser.ts'
import { hostileFile, startHostileService } from './hostile-service.ts'

jest.setTimeout(300_000)
const exampleEvaluation = {
  ...evaluationOperations.getEvaluation.success[200].example,
  tags: ['nightly', 'team:search'],
}
let browser: Browser | undefined
let service: Awaited<ReturnType<typeof startHostileService>> | undefined
beforeAll(async () => {
  if (!hasBrowser) return
  await buildPage()
  ;[browser, service] = await Promise.all([
    startBrowser(),
    startHostileService({
      getEvaluation: exampleEvaluation,
      listEvaluations: { items: [exampleEvaluation, { ...exampleEvaluation, id: 'ev_0mwrxw1c2x7f21cd90a' }] },
    }),
  ])
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const id = 'ev_0mwrxttlp1d0b3fb3c1'
const set = 'bm_0mwrxs2fs2b2656bafc'
/** Path, and a text that shows once the view is whole. */
const views: [string, string][] = [
  ['/', 'New evaluation'],
  ['/evaluations?status=succeeded&sort=cost', '1 of 1'],
  ['/evaluations/new', 'Answers for each case'],
  [`/evaluations/${id}`, 'Cost and time'],
  [`/evaluations/${id}/cases?passed=no&search=x`, 'RESULT has no'],
  [`/evaluations/${id}/cases/0?input=0`, 'Run and judge'],
  [`/compare?baseline=${id}&others=%5B%22ev_0mwrxw1c2x7f21cd90a%22%5D`, 'Flips from'],
  ['/sign-in', 'API key'],
  ['/benchmarks/new?scenario=all', 'Same seed, same bytes'],
  [`/benchmarks/${set}`, 'exactly one reading'],
  [`/benchmarks/${set}/review`, 'need a decision'],
  ['/operations', 'Recent infrastructure errors'],
  // These show what others show as well.
  ...(process.env['STATEEVAL_LONG'] === '1'
    ? ([
        ['/benchmarks', 'imported'],
        [`/benchmarks/${set}/cases`, 'instruction'],
        [`/benchmarks/${set}/cases/session-service-b7e6e072e94e?language=python`, 'Expected RESULT'],
      ] as [string, string][])
    : []),
]

const inBrowser = hasBrowser ? test : test.skip
inBrowser.each(views)(
  'nothing runs or loads in %s, axe finds nothing, and 320 px are enough',
  async (path, text) => {
    const { base } = service!
    const context = await browser!.newContext({ viewport: { width: 320, height: 700 } })
    const page = await context.newPage()
    const complaints = complaintsOf(page, base)
    await page.goto(`${base}${path}`)
    await page.getByText(text).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await axeFaults(page)).toEqual([])
    expect(await intrusionsIn(page)).toEqual(noIntrusion)
    expect([complaints, await widthBeyond(page)]).toEqual([[], 0])
    await context.close()
  },
)

inBrowser('a case that models wrote is decided about by keyboard alone', async () => {
  const context = await browser!.newContext()
  const page = await context.newPage()
  await page.goto(`${service!.base}/benchmarks/${set}/review`)
  await page.getByRole('region', { name: /^The case/ }).waitFor()
  await page.locator('.review:focus').waitFor()
  await page.keyboard.press('e')
  await page.locator('textarea:focus').first().waitFor()
  // In a field a letter is a letter.
  await page.keyboard.press('r')
  await page.keyboard.press('Escape')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.keyboard.press('a')
  const request = await sent
  expect(request.url()).toContain(`/v1/benchmarks/${set}/reviews/`)
  expect(request.postDataJSON()).toMatchObject({
    decision: 'accept',
    because: 'Read and accepted in the dashboard',
  })
  await context.close()
})

inBrowser('a file with the same texts inside opens from disk, and they stay texts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stateeval-page-'))
  const file = join(folder, 'report.html')
  await writeFile(file, await hostileFile())
  const context = await browser!.newContext({ viewport: { width: 320, height: 700 } })
  const page = await context.newPage()
  const base = pathToFileURL(file).href
  const complaints = complaintsOf(page, base)
  await page.goto(base)
  await page.getByText('Cost and time').waitFor()
  await page.getByText('with the evidence of 1 failed sample').waitFor()
  expect([await intrusionsIn(page), await widthBeyond(page)]).toEqual([
    // Its style, its script, and four blocks of data.
    { ...noIntrusion, foreign: 6 },
    0,
  ])
  await page.getByRole('link', { name: 'Failed ones' }).click()
  await page.locator('[data-index="0"] a').first().click()
  await page.getByLabel('Candidate code').waitFor()
  expect(await axeFaults(page)).toEqual([])
  expect([complaints, await widthBeyond(page)]).toEqual([[], 0])
  expect(page.url()).toContain('#/evaluations/')
  await context.close()
  await rm(folder, { recursive: true })
})
