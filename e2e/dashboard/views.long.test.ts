/** Every view of the dashboard in a real browser, with hostile texts in all that it is told. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { evaluationOperations } from '@stateeval/contracts'
import { isLong, freePort, startSuite } from '@stateeval/testkit'
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
import { startProvider } from './provider.ts'

const exampleEvaluation = {
  ...evaluationOperations.getEvaluation.success[200].example,
  tags: ['nightly', 'team:search'],
}
const exampleComparison = evaluationOperations.createComparison.success[201].example
let browser: Browser | undefined
let service: Awaited<ReturnType<typeof startHostileService>> | undefined
beforeAll(async () => {
  if (!hasBrowser) return
  await buildPage()
  ;[browser, service] = await Promise.all([
    startBrowser(),
    startHostileService({
      getEvaluation: exampleEvaluation,
      createComparison: {
        ...exampleComparison,
        policies: { sound: exampleComparison.comparison.pairs },
        measures: [
          {
            ...{ measure: 'partial', a: 'a', b: 'b', cases: 9, means: [0.5, 0.25], difference: 0.25 },
            ...{ interval: [0.1, 0.4], higherA: 5, higherB: 2 },
          },
        ],
      },
      listEvaluations: { items: [exampleEvaluation, { ...exampleEvaluation, id: 'ev_0mwrxw1c2x7f21cd90a' }] },
    }),
  ])
})
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
  ['/sign-in', 'Sign in at'],
  ['/benchmarks/new?scenario=all', 'Same seed, same bytes'],
  ['/benchmarks/plan', 'Specification: OpenAPI'],
  [`/benchmarks/${set}`, 'exactly one reading'],
  [`/benchmarks/${set}/review`, 'need a decision'],
  ['/operations', 'Recent infrastructure errors'],
  // These show what others show as well.
  ...(isLong
    ? ([
        ['/benchmarks', 'imported'],
        [`/benchmarks/${set}/cases`, 'instruction'],
        [`/benchmarks/${set}/cases/session-service-b7e6e072e94e?language=python`, 'Expected RESULT'],
      ] as [string, string][])
    : []),
]

/** One after the other: a page of its own for each view costs as much as the view. */
let narrow: Awaited<ReturnType<typeof narrowPage>> | undefined
async function narrowPage(base: string) {
  const page = await browser!.newPage({ viewport: { width: 320, height: 700 } })
  return { page, complaints: complaintsOf(page, base) }
}

const inBrowser = hasBrowser ? test : test.skip
inBrowser.each(views)(
  'nothing runs or loads in %s, axe finds nothing, and 320 px are enough',
  async (path, text) => {
    const { base } = service!
    const { page, complaints } = (narrow ??= await narrowPage(base))
    await page.goto(`${base}${path}`)
    await page.getByText(text).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await axeFaults(page)).toEqual([])
    expect(await intrusionsIn(page)).toEqual(noIntrusion)
    expect([complaints.splice(0), await widthBeyond(page)]).toEqual([[], 0])
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

inBrowser('data that could not be renewed are not taken for new ones', async () => {
  const running = await startHostileService({
    listEvaluations: { items: [{ ...exampleEvaluation, status: 'running' }] },
  })
  const page = await browser!.newPage()
  await page.goto(`${running.base}/evaluations`)
  await page.getByRole('button', { name: /^cancel/ }).waitFor()
  const problem = { type: 'about:blank', title: 'Unavailable', status: 503, detail: 'the store is away' }
  await page.route('**/v1/evaluations?*', (route) => route.fulfill({ status: 503, json: problem }))
  await page.getByText('from before this error').waitFor()
  expect(await page.getByRole('button', { name: /^cancel/ }).count()).toBe(1)
  await page.getByText('from before this error').waitFor({ state: 'detached' })
  await page.close()
  await running.stop()
})

inBrowser('a list that is longer than a view reads says so', async () => {
  const [review] = evaluationOperations.listReviews.success[200].example.items
  const body = JSON.stringify({ items: Array.from({ length: 500 }, () => review), next: '500' })
  const page = await browser!.newPage()
  await page.route('**/reviews?*', (route) => route.fulfill({ contentType: 'application/json', body }))
  await page.goto(`${service!.base}/benchmarks/${set}/review`)
  await page.getByText('Only the first 20,000 cases are loaded').waitFor()
  await page.close()
})

inBrowser('all dead letters are queued again, however many requests that takes', async () => {
  const page = await browser!.newPage()
  let requests = 0
  await page.route('**/v1/dead-letters/redrive', (route) =>
    route.fulfill({ status: 202, json: { redriven: [], more: ++requests < 3 } }),
  )
  await page.goto(`${service!.base}/operations`)
  const last = page.waitForResponse(
    async (response) =>
      response.url().endsWith('/redrive') && !((await response.json()) as { more: boolean }).more,
  )
  await page.getByRole('button', { name: 'Queue all of these again' }).click()
  await last
  expect(requests).toBe(3)
  await page.close()
})

inBrowser('what an address names is named, even if it is gone or has not succeeded', async () => {
  const stopped = await startHostileService({
    getEvaluation: { ...exampleEvaluation, status: 'cancelled' },
    listEvaluations: { items: [exampleEvaluation] },
  })
  const page = await browser!.newPage()
  await page.goto(`${stopped.base}/evaluations?benchmark=bm_gone`)
  await page.getByText('None of 1 evaluations fits').waitFor()
  expect(await page.getByRole('combobox', { name: /^Benchmark/ }).inputValue()).toBe('bm_gone')
  // Only evaluations that have succeeded can be compared.
  await page.goto(`${stopped.base}/evaluations/${id}`)
  await page.getByText('Save as a file').waitFor()
  expect(await page.getByText('Compare with others').count()).toBe(0)
  await page.goto(`${stopped.base}/compare?baseline=ev_gone`)
  await page.getByText('no evaluation ev_gone that has succeeded').waitFor()
  await page.close()
  await stopped.stop()
})

inBrowser('a reader signs in at an OpenID provider, and switches between projects', async () => {
  const [port, adminKey] = [await freePort(), 'the-admin-key-of-a-test-0123456789abcdef']
  const base = `http://127.0.0.1:${port}`
  const claims = { stateeval_project: 'speech-team', roles: 'stateeval-run' }
  // The provider says that it is set up for a test.
  const quiet = (['warn', 'info'] as const).map((level) =>
    jest.spyOn(console, level).mockImplementation(() => undefined),
  )
  const provider = await startProvider(`${base}/sign-in`, 'dashboard', claims)
  const suite = await startSuite({
    only: ['evaluation'],
    env: {
      PORT: String(port),
      STATEEVAL_ADMIN_KEY: adminKey,
      STATEEVAL_OIDC_ISSUER: provider.issuer,
      STATEEVAL_OIDC_AUDIENCE: 'dashboard',
      STATEEVAL_OIDC_CLIENT_ID: 'dashboard',
    },
  })
  const context = await browser!.newContext({ viewport: { width: 320, height: 700 } })
  try {
    // The provider's own pages ask for a font from elsewhere.
    await context.route(/^https:/, (route) => route.abort())
    const page = await context.newPage()
    await page.goto(`${base}/benchmarks`)
    await page.getByRole('link', { name: 'Sign in', exact: true }).last().click()
    await page.getByRole('button', { name: /^Sign in at 127\.0\.0\.1/ }).waitFor()
    expect([await axeFaults(page), await widthBeyond(page)]).toEqual([[], 0])
    const signIn = async () => {
      await page.getByRole('button', { name: /^Sign in at 127\.0\.0\.1/ }).click()
      // Once it knows the reader, the provider does not ask again.
      const login = page.locator('input[name=login]')
      await login.or(page.getByRole('alert')).or(page.getByLabel('Project')).first().waitFor()
      if ((await login.count()) === 0) return
      await login.fill('ada')
      await page.locator('input[name=password]').fill('any')
      await page.locator('button[type=submit]').click()
      await page.getByText('Authorize').first().waitFor()
      await page.locator('button[type=submit]').click()
    }
    await signIn()
    // Its project does not exist yet.
    await page.getByText('name no existing project').waitFor()
    const created = await fetch(`${base}/v1/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'speech-team' }),
    })
    expect(created.status).toBe(201)
    await signIn()
    await page.getByRole('combobox', { name: 'Project' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.getByText('There are no evaluations yet').waitFor()
    await page.getByRole('link', { name: 'Add a project' }).click()
    await page.getByLabel('API key').fill(adminKey)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('There are no evaluations yet').waitFor()
    const projects = page.getByRole('combobox', { name: 'Project' })
    expect(await projects.inputValue()).toBe('default')
    const made = await fetch(`${base}/v1/benchmarks/samples`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'complexfuncbench', samples: 1 }),
    })
    expect(made.status).toBe(201)
    await page.goto(`${base}/benchmarks`)
    const row = page.locator('a[href*="/benchmarks/bm_"]').first()
    await row.waitFor()
    // At once, and not when the next answer comes.
    const isGone = Promise.withResolvers<void>()
    await page.route(`${base}/v1/**`, (route) => isGone.promise.then(() => route.continue()))
    await projects.selectOption('speech-team')
    await row.waitFor({ state: 'detached' })
    isGone.resolve()
    await page.getByText('There are no benchmarks yet').waitFor()
    await page.goto(`${base}/evaluations`)
    await page.getByText('There are no evaluations yet').waitFor()
    const caller = page.waitForRequest(/\/v1\/caller$/)
    await page.reload()
    // The token of the provider, which is a JWT.
    expect((await (await caller).allHeaders())['authorization']).toMatch(/^Bearer ey/)
    // A sign-in that began elsewhere is refused.
    await page.goto(`${base}/sign-in?code=stolen&state=foreign`)
    await page.getByText('did not begin in this tab').waitFor()
    const forged = { code: 'stolen', verifier: 'v'.repeat(43), redirectUri: `${base}/sign-in` }
    const refused = await fetch(`${base}/sign-in/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(forged),
    })
    expect([refused.status, await refused.text()]).toEqual([401, expect.stringMatching(/invalid_grant/)])
  } finally {
    await context.close()
    await suite.stop()
    await provider.stop()
    for (const spy of quiet) spy.mockRestore()
  }
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
