/**
 * `npm run perf -- dashboard [samples] [--inspect]`: the table of cases over 100 000 samples in a real
 * browser: its first rows, scrolling, searches, and the browser’s memory. With `--inspect`, beside Inspect’s
 * viewer on a log of the same samples.
 */
import { loadavg } from 'node:os'
import { namespace, startServers } from '@stateeval/testkit'
import { buildPage, startBrowser } from '../e2e/dashboard/browser.ts'
import { serve } from './coordinator/serve.ts'
import { cpuSecondsOf, peakMiBOf } from './coordinator/usage.ts'
import { inspectViewer } from './dashboard/inspect.ts'
import { storeSamples } from './dashboard/samples.ts'
import { browserMiB, scroll, type Scrolled } from './dashboard/watch.ts'
import type { Bench, BenchPart } from './result.ts'

const aims = { firstRowsMs: 1_000, searchMs: 2_000, pageMiB: 300 }
const grid = '[role=grid]'
const row = '.body .row'

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** The searches: what they are called, and what is asked. */
const searches: [string, Record<string, string>][] = [
  ['one word in all texts', { search: 'Hanoi' }],
  ['three words in all texts', { search: 'hanoi typeerror session' }],
  ['a pattern with a word that is rare', { pattern: 'try 9\\d{3}7 of (Oslo|Lima)' }],
  ['a pattern without a word', { pattern: '[a-z]+_[0-9]+\\.[a-z]+\\[[0-9]+\\]' }],
  ['a pattern that backtracks elsewhere', { pattern: '(x+x+)+y', in: 'code' }],
]

export async function run(options: string[]): Promise<Bench> {
  const samples = Number(options.find((one) => /^\d+$/.test(one)) ?? 100_000)
  await buildPage()
  const servers = await startServers()
  const env = { ...servers.env, STATEEVAL_NAMESPACE: namespace() }
  const say = (text: string) => console.log(`${(performance.now() / 1000).toFixed(0)} s: ${text}`)
  try {
    say(`storing ${samples} samples`)
    const id = await storeSamples(env, samples)
    say('stored')
    // A process of its own that has seen none of them.
    const service = await serve('evaluation', env)
    try {
      const table = `${service.url}/v1/evaluations/${id}/samples`
      const used = () => cpuSecondsOf(service.pid) * 1000
      const shown = await inBrowser(`${service.url}/evaluations/${id}/cases`, used)
      say('scrolled')
      const found: BenchPart[] = []
      for (const [name, query] of searches) {
        const times: number[] = []
        const before = used()
        for (let round = 0; round < 3; round++) {
          const began = performance.now()
          const answer = await fetch(`${table}?${searchOf(query, round)}`)
          if (!answer.ok) throw new Error(await answer.text())
          const { total, ended } = (await answer.json()) as { total: number; ended: number }
          times.push(performance.now() - began)
          if (round === 0) say(`${name}: ${total} of ${ended}`)
        }
        found.push(part(`search: ${name}`, 'ms', median(times), aims.searchMs), {
          name: 'of this, processor time of the service',
          unit: 'ms',
          ours: (used() - before) / times.length,
        })
      }
      const served = peakMiBOf(service.pid)
      const peer = options.includes('--inspect')
        ? await inspectViewer(`${service.url}/v1/evaluations/${id}/inspect`, say)
        : 'add --inspect'
      return bench(samples, shown, found, served, peer)
    } finally {
      service.child.kill('SIGKILL')
    }
  } finally {
    await servers.stop()
  }
}

/** What was found is remembered: the same search in another order is made anew. */
function searchOf(query: Record<string, string>, round: number): string {
  const orders: Record<string, string>[] = [{}, { order: 'falling' }, { sort: 'verdict' }]
  return new URLSearchParams({ ...query, ...orders[round] }).toString()
}

interface Shown {
  firstRowsMs: number
  firstRowsCpuMs: number
  againMs: number
  slow: Scrolled
  fast: Scrolled
  memory: { page: number; all: number }
}
/** `used` tells the processor time of the service, in milliseconds. */
async function inBrowser(url: string, used: () => number): Promise<Shown> {
  const browser = await startBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    const session = await page.context().newCDPSession(page)
    const rows = async () => {
      const began = performance.now()
      await page.goto(url, { waitUntil: 'commit' })
      await page.locator(`${row} a`).first().waitFor()
      return performance.now() - began
    }
    const before = used()
    const firstRowsMs = await rows()
    const firstRowsCpuMs = used() - before
    const againMs = await rows()
    const box = { box: grid, row }
    const slow = await scroll(page, session, { ...box, distance: 20_000, speed: 3_000 })
    const fast = await scroll(page, session, { ...box, distance: 400_000, speed: 60_000 })
    await page.locator(grid).focus()
    await page.keyboard.press('End')
    await page.waitForTimeout(1_000)
    return { firstRowsMs, firstRowsCpuMs, againMs, slow, fast, memory: browserMiB() }
  } finally {
    await browser.close()
  }
}

const part = (name: string, unit: string, ours: number, aim?: number): BenchPart => ({
  name,
  unit,
  ours,
  ...(aim !== undefined && { peer: aim, ratio: aim / ours, aim: 1 }),
})

type Peer = Awaited<ReturnType<typeof inspectViewer>>

function bench(
  samples: number,
  { firstRowsMs, firstRowsCpuMs, againMs, slow, fast, memory }: Shown,
  found: BenchPart[],
  served: number,
  peer: Peer,
): Bench {
  const blank = slow.blank + fast.blank
  return {
    about: `The table of cases over ${samples} samples, in Chromium, of a service that has just started. The peers are the targets.`,
    parts: [
      part('first rows, without caches in browser and service', 'ms', firstRowsMs, aims.firstRowsMs),
      { name: 'of this, processor time of the service', unit: 'ms', ours: firstRowsCpuMs },
      part('first rows, again', 'ms', againMs, aims.firstRowsMs),
      {
        name: 'scrolled frames without rows',
        unit: '',
        ours: blank,
        peer: 0,
        ratio: blank === 0 ? 1 : 0,
        aim: 1,
      },
      { name: 'frames scrolled at 3 000 pixels a second', unit: '', ours: slow.frames },
      { name: 'of these, with a row whose text was not loaded yet', unit: '', ours: slow.waiting },
      { name: 'frames scrolled at 60 000 pixels a second', unit: '', ours: fast.frames },
      { name: 'of these, with a row whose text was not loaded yet', unit: '', ours: fast.waiting },
      part('memory of the page’s process', 'MiB', memory.page, aims.pageMiB),
      { name: 'memory of the whole browser', unit: 'MiB', ours: memory.all },
      ...found,
      { name: 'memory of the evaluation service at its peak', unit: 'MiB', ours: served },
      ...(typeof peer === 'string'
        ? []
        : [
            {
              name: 'Inspect’s viewer: first rows',
              unit: 'ms',
              ours: firstRowsMs,
              peer: peer.firstRowsMs,
              ratio: peer.firstRowsMs / firstRowsMs,
            },
            {
              name: 'Inspect’s viewer: memory of the page’s process',
              unit: 'MiB',
              ours: memory.page,
              peer: peer.memory.page,
              ratio: peer.memory.page / memory.page,
            },
            {
              name: 'Inspect’s viewer: memory of the whole browser',
              unit: 'MiB',
              ours: memory.all,
              peer: peer.memory.all,
              ratio: peer.memory.all / memory.all,
            },
          ]),
    ],
    notes: [
      `While this was measured, ${loadavg()[1]!.toFixed(0)} processes competed for the processors.`,
      typeof peer === 'string' ? `Inspect’s viewer was not measured: ${peer}.` : peer.notes,
    ].join(' '),
  }
}
