/**
 * A reader's way through the dashboard, in a real browser on a running suite: start an evaluation, watch it,
 * find a failed case, see why, run the edited code, compare two models. STATEEVAL_SCREENSHOTS=1 writes the
 * pictures of docs/dashboard.md.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { splitWords } from '@stateeval/program/format'
import { answerProbe, startScriptedModel, startSuite, type Suite } from '@stateeval/testkit'
import type { Browser, Page } from 'playwright-core'
import { callerAt } from '../../services/evaluation/test/over-http.ts'
import { axeFaults, buildPage, complaintsOf, hasBrowser, startBrowser, widthBeyond } from './browser.ts'

let suite: Suite
let scratch: string
let browser: Browser
beforeAll(async () => {
  if (!hasBrowser) return
  scratch = await mkdtemp(join(tmpdir(), 'stateeval-journey-'))
  ;[suite, browser] = await Promise.all([startSuite(), startBrowser(), buildPage()])
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
})
afterAll(async () => {
  await browser?.close()
  await suite?.stop()
  if (scratch) await rm(scratch, { recursive: true })
})

const caller = callerAt(() => suite.urls['evaluation'] as string)
const pictures =
  process.env['STATEEVAL_SCREENSHOTS'] === '1' && join(import.meta.dirname, '../../docs/dashboard')
async function picture(page: Page, name: string) {
  if (!pictures) return
  await mkdir(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
}

const inBrowser = hasBrowser ? test : test.skip

/** Presses Tab until what has the focus is called so; fails after as many as no view should need. */
async function tabTo(page: Page, name: RegExp, most = 150): Promise<void> {
  const seen: string[] = []
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press('Tab')
    // A text, as it knows a document, which nothing else here does.
    const text = await page.evaluate<string>(`{
      let one = document.activeElement
      while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
      one?.getAttribute('aria-label') ?? one?.labels?.[0]?.textContent ?? one?.textContent ?? ''
    }`)
    seen.push(text.slice(0, 40))
    if (name.test(text)) return
  }
  throw new Error(`no ${name} among what Tab reaches: ${seen.join(' | ')}`)
}
inBrowser(
  'an evaluation is started, watched, understood, mended and compared; again without a mouse',
  async () => {
    const set = await caller.importSample(4)
    const of = '8 samples'
    const reference = await caller.begin({ benchmark: set.id, model: 'reference' })
    await caller.ended(reference.id)
    const base = suite.urls['evaluation'] as string
    const context = await browser.newContext({ viewport: { width: 1100, height: 760 }, locale: 'en-GB' })
    const page = await context.newPage()
    const complaints = complaintsOf(page, base)

    await page.goto(base)
    await page.getByRole('link', { name: 'New evaluation' }).click()
    await page.locator('select[name=model]').selectOption('mutant')
    await page.locator('input[name=samples]').fill('2')
    await page.getByLabel('Tags').fill('nightly, team:search')
    await page.getByRole('button', { name: 'Start' }).click()
    // It is told of as it goes on, without a reload.
    await page.getByRole('heading', { name: 'mutant' }).waitFor()
    await page.locator('.status.succeeded').waitFor()
    await page.getByRole('heading', { name: 'Mutation score' }).waitFor()
    await picture(page, 'evaluation')
    const id = /evaluations\/(ev_\w+)/.exec(page.url())?.[1] as string
    const { result } = await caller.report(id)
    const failed = result.samples.filter(({ score }) => score?.passed === false)
    expect(failed.length).toBeGreaterThan(0)

    await page.getByRole('link', { name: 'Failed ones' }).click()
    await page.getByText(`${failed.length} of ${of}`).waitFor()
    // By keyboard: down to the second row and back, then into it.
    await page.getByRole('grid', { name: 'Samples' }).focus()
    for (const key of ['ArrowDown', 'Home', 'Enter']) await page.keyboard.press(key)
    const says = failed[0]!.score!.evidence
    await page.getByText(says.rootCause!.because, { exact: true }).first().waitFor()
    await page.getByRole('heading', { name: 'Reference and candidate' }).waitFor()
    await page.getByLabel('Candidate code').waitFor()
    await page.getByRole('heading', { name: 'What it left' }).waitFor()
    await picture(page, 'case')
    const shared = page.url()

    const { answer } = await caller.get<{ answer: string }>(
      `/v1/benchmarks/${set.id}/cases/${failed[0]!.case}/reference`,
    )
    const code = /```\w*\n([\s\S]*?)```/.exec(answer)?.[1] as string
    const editor = page.getByLabel(/^Code to run/)
    await editor.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(code)
    await page.getByRole('button', { name: 'Run and judge' }).click()
    await page.locator('.judged .passed').waitFor()
    // Where text is typed over other text, Chromium tries to keep its style, and is refused.
    const complaintsOfEditing = complaints.filter((text) => text.startsWith('Applying inline style'))
    expect(complaints).toEqual(complaintsOfEditing)
    complaints.length = 0

    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByRole('combobox', { name: 'Baseline' }).selectOption(reference.id)
    await page.getByRole('checkbox', { name: new RegExp(id) }).check()
    await page.getByRole('heading', { name: /^mutant.* passes less often: [1-9]/ }).waitFor()
    await page.getByText('mcnemar').or(page.getByText('sign-flip')).first().waitFor()
    await page
      .getByRole('list', { name: /passes less often/ })
      .getByRole('listitem')
      .first()
      .waitFor()
    await picture(page, 'compare')

    // The file is opened from disk, and shows the same.
    await page.goto(`${base}/evaluations/${id}`)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as a file' }).click()
    const path = join(scratch, 'report.html')
    await (await saved).saveAs(path)
    const file = pathToFileURL(path).href
    const alone = await context.newPage()
    const complaintsOfFile = complaintsOf(alone, file)
    await alone.goto(`${file}#/evaluations/${id}/cases?passed=no`)
    await alone.getByText(`${failed.length} of ${of}`).waitFor()
    await alone.getByRole('link', { name: failed[0]!.case }).first().click()
    await alone.getByText(says.rootCause!.because, { exact: true }).first().waitFor()
    await alone.getByLabel('Candidate code').waitFor()
    expect(complaintsOfFile).toEqual([])
    await alone.close()

    // An address shows what its sender saw.
    const other = await context.newPage()
    await other.goto(shared)
    await other.getByText(says.rootCause!.because, { exact: true }).first().waitFor()
    await other.goto(`${base}/evaluations/${id}`)
    await other.getByRole('button', { name: 'Remove the tag nightly' }).click()
    await other.getByRole('button', { name: 'Remove the tag nightly' }).waitFor({ state: 'detached' })
    await other.goto(`${base}/evaluations?q=mutant&tag=team:search`)
    await other.getByRole('row', { name: /mutant/ }).waitFor()
    expect(await other.getByRole('row').count()).toBe(2)
    // The list is told what others do, over one stream.
    let lists = 0
    other.on('request', (request) => void (lists += Number(/\/v1\/evaluations\?/.test(request.url()))))
    await caller.call('POST', `/v1/evaluations/${id}/tags`, { add: ['by-another'] })
    await other.getByRole('link', { name: 'by-another' }).waitFor()
    expect(lists).toBe(0)
    if (pictures) {
      await other.goto(`${base}/evaluations`)
      await other.getByRole('row', { name: /reference/ }).waitFor()
      await picture(other, 'evaluations')
    }
    // For a picture a style is tried to be set, and refused.
    if (!pictures) expect(complaints).toEqual([])
    await context.close()
    await withoutMouse(id, says.rootCause!.because, code)
  },
)

/**
 * From the list to a failed case, its remedy, and a comparison: an evaluation, why a case failed in it, and
 * code that passes.
 */
async function withoutMouse(id: string, because: string, code: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 760 } })
  await page.addInitScript(`new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries())
      globalThis.shifted = (globalThis.shifted ?? 0) + (hadRecentInput ? 0 : value)
  }).observe({ type: 'layout-shift', buffered: true })`)
  const shifted = () => page.evaluate<number>('globalThis.shifted ?? 0')
  await page.goto(`${suite.urls['evaluation']}/evaluations?q=mutant`)
  await page.getByRole('row', { name: /mutant/ }).waitFor()
  await tabTo(page, /^mutant/)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Failed ones' }).waitFor()
  await tabTo(page, /^Failed ones$/)
  await page.keyboard.press('Enter')
  await page.locator('.body .row a').first().waitFor()
  await tabTo(page, /^Samples$/)
  // The table keeps the focus and names its row, however far that is.
  for (const [key, index] of [
    ['End', null],
    ['Home', 0],
    ['ArrowDown', 1],
    ['ArrowUp', 0],
  ] as const) {
    await page.keyboard.press(key)
    if (index !== null) await page.locator(`.row.current[data-index="${index}"]`).waitFor()
  }
  await page.keyboard.press('Enter')
  await page.getByText(because, { exact: true }).first().waitFor()
  await page.getByLabel(/^Code to run/).waitFor()
  await tabTo(page, /^Code to run/)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(code)
  await page.keyboard.press('Escape')
  await tabTo(page, /^Run and judge$/, 2)
  await page.keyboard.press('Enter')
  await page.locator('.judged .passed').waitFor()
  expect(await shifted()).toBeLessThan(0.05)
  // Back, the row is still the current one.
  await page.goBack()
  await page.locator('.row.current[data-index="0"]').waitFor()
  await tabTo(page, /^Compare$/)
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Baseline' }).waitFor()
  await tabTo(page, /^Baseline/)
  await page.keyboard.type('reference')
  await page.getByRole('checkbox', { name: new RegExp(id) }).waitFor()
  await tabTo(page, new RegExp(id))
  await page.keyboard.press('Space')
  await page.getByRole('heading', { name: /^mutant.* passes less often: [1-9]/ }).waitFor()
  await page.close()
}

inBrowser(
  'an endpoint shows its settings, and a button probes it for what is off and what mends it',
  async () => {
    // Its server leaves an end mark in every text.
    const endpoint = await startScriptedModel((request) => {
      const answer = answerProbe(request)
      return answer.toolCalls ? answer : { ...answer, say: `${answer.say}<|im_end|>` }
    })
    try {
      const settings = {
        ...{ baseUrl: endpoint.baseUrl, model: 'm', systemRole: 'developer', stream: false, concurrency: 2 },
        headers: { 'x-title': `<b>${'long'.repeat(20)}</b>` },
        query: { 'api-version': '2024-10-21' },
      }
      await caller.importSample(1)
      await caller.model('probed', settings)
      const base = suite.urls['evaluation'] as string
      const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 320, height: 700 } })
      const complaints = complaintsOf(page, base)
      await page.goto(`${base}/evaluations/new`)
      await page.locator('select[name=model]').selectOption('probed')
      await page.getByText('Settings', { exact: true }).click()
      const shown = page.locator('details[open] > dl > div')
      await shown.first().waitFor()
      const texts = await Promise.all((await shown.all()).map((one) => one.locator('dt, dd').allInnerTexts()))
      const written = Object.entries(settings).map(([name, value]) => [
        splitWords(name),
        typeof value === 'string' ? value : JSON.stringify(value),
      ])
      expect(texts.sort()).toEqual(written.sort())
      expect([await axeFaults(page), await widthBeyond(page)]).toEqual([[], 0])
      await page.getByRole('button', { name: 'Probe the endpoint' }).click()
      await page.getByRole('button', { name: 'Probe again' }).waitFor()
      await page.getByText('Your server leaves <|im_end|> in the text').waitFor()
      await page.getByText('All findings').click()
      await page.getByText('streaming', { exact: true }).waitFor()
      // Stored: a reader who comes later sees it without asking.
      const asked = endpoint.requests.length
      await page.reload()
      await page.locator('select[name=model]').selectOption('probed')
      await page.getByText('Your server leaves <|im_end|> in the text').waitFor()
      expect([endpoint.requests.length, complaints]).toEqual([asked, []])
      await page.close()
    } finally {
      await endpoint.close()
    }
  },
)
