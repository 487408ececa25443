/** A real browser for tests: Debian's Chromium, or the one that STATEEVAL_CHROMIUM names. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import { patience } from '@stateeval/testkit/patience'
import { type Browser, chromium, type Page } from 'playwright-core'

const executablePath = process.env['STATEEVAL_CHROMIUM'] ?? '/usr/bin/chromium'
export const hasBrowser = existsSync(executablePath)

/** The page as its sources are now. */
export const buildPage = (): Promise<unknown> =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../apps/dashboard/build.ts')])

export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  browser.on('context', (context) => context.setDefaultTimeout(patience(60_000)))
  return browser
}

/** What a page complains of, as it happens: errors, refused scripts and styles, requests to elsewhere. */
export function complaintsOf(page: Page, base: string): string[] {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(base) && !url.startsWith('data:,')) complaints.push(`a request to ${url}`)
  })
  return complaints
}

/** What axe finds in both themes, as sentences. */
export async function axeFaults(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // These pages have no frames, so axe needs no page of its own for each look.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    // The dark theme has other colours and nothing else.
    if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
    const { violations } = await axe.analyze()
    for (const { id, help, nodes } of violations)
      faults.push(`${colorScheme}: ${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
  }
  return faults
}

/** What the page would have, were a text of others HTML, a script or an address somewhere. */
export const intrusionsIn = (page: Page): Promise<unknown> =>
  // A text, as it knows a document, which nothing else here does.
  page.evaluate(`({
    owned: 'owned' in globalThis,
    foreign: document.querySelectorAll('img, iframe, object, style, script:not([src^="/assets/"])').length,
    addresses: [...document.links].filter(({ protocol }) => protocol !== location.protocol).length,
  })`)
export const noIntrusion = { owned: false, foreign: 0, addresses: 0 }

/** By how many pixels the whole page scrolls sideways. */
export const widthBeyond = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
