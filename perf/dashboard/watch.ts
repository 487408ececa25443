/** What a browser does with a long table, and how much memory it takes. */
import { readdirSync, readFileSync } from 'node:fs'
import type { CDPSession, Page } from 'playwright-core'

const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Memory of a browser’s processes below this one, in MiB: what they share is counted once among those that
 * share it. `page` is the largest of those that show pages.
 */
export function browserMiB(): { page: number; all: number } {
  let [page, all] = [0, 0]
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(
    pids.map((pid) => [pid, /^PPid:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? '']),
  )
  const isOurs = (pid: string | undefined): boolean =>
    pid !== undefined && pid !== '' && (pid === String(process.pid) || isOurs(parents.get(pid)))
  for (const pid of pids) {
    const command = textOf(`/proc/${pid}/cmdline`)
    if (!command.includes('chrom') || !isOurs(pid)) continue
    const mib = Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024
    all += mib
    if (command.includes('--type=renderer')) page = Math.max(page, mib)
  }
  return { page, all }
}

export interface Scrolled {
  frames: number
  /** Frames in which a part of the table in view had no row. */
  blank: number
  /** Frames in which a row in view waited for its text. */
  waiting: number
  /** The longest time between two frames, in milliseconds. */
  longest: number
}

/** Scrolls the box by a wheel, and looks at each frame. The names are selectors. */
export async function scroll(
  page: Page,
  session: CDPSession,
  { box, row, distance, speed }: { box: string; row: string; distance: number; speed: number },
): Promise<Scrolled> {
  await page.evaluate(lookAtFrames(box, row))
  const { x, y, width, height } = (await page.locator(box).first().boundingBox())!
  await session.send('Input.synthesizeScrollGesture', {
    ...{ x: x + width / 2, y: y + height / 2, yDistance: -distance, speed, gestureSourceType: 'mouse' },
  })
  return page.evaluate<Scrolled>('(globalThis.looking = false, globalThis.seen)')
}

/** As a text: it runs in the page. */
const lookAtFrames = (box: string, row: string) => `{
  const seen = globalThis.seen = { frames: 0, blank: 0, waiting: 0, longest: 0 }
  globalThis.looking = true
  const element = document.querySelector(${JSON.stringify(box)})
  let [last, top] = [performance.now(), element.scrollTop]
  const look = (now) => {
    if (!globalThis.looking) return
    if (element.scrollTop !== top) {
      top = element.scrollTop
      seen.frames++
      seen.longest = Math.max(seen.longest, now - last)
      const frame = element.getBoundingClientRect()
      const rows = [...element.querySelectorAll(${JSON.stringify(row)})]
        .map((one) => ({ one, place: one.getBoundingClientRect() }))
        .filter(({ place }) => place.bottom > frame.top + 45 && place.top < frame.bottom)
        .sort((a, b) => a.place.top - b.place.top)
      let reached = frame.top + 45
      for (const { place } of rows) if (place.top <= reached + 2) reached = Math.max(reached, place.bottom)
      if (reached < frame.bottom - 20) seen.blank++
      if (rows.some(({ one }) => one.textContent.trim().length < 3)) seen.waiting++
    }
    last = now
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}`
