/** Progress of work that a command does itself, piece by piece. */
import type { Terminal } from '../terminal.ts'
import { createPace } from './pace.ts'
import { progressLine } from './watch.ts'

/**
 * Shows how much of `total` is done, with rate and time left; on a terminal only.
 * @param clock of the pace, in milliseconds
 * @returns a function that takes how many are done in all, and in which part of the work
 */
export function createCounter(title: string, total: number, terminal: Terminal, clock?: () => number) {
  const pace = createPace(clock)
  return (done: number, part: string): void => {
    // The pace is that of the whole, whichever part it is in.
    const now = pace({ done, total, phase: title })
    terminal.progress(progressLine(title, { done, total, phase: part }, now))
  }
}

const mib = 2 ** 20
const sizeText = (bytes: number) => `${(bytes / mib).toFixed(1)} MiB`

/**
 * The same pieces, while their size and rate are shown; on a terminal only. How many come is not known before
 * the last one, so no time left is shown.
 * @param clock of the rate, in milliseconds
 */
export async function* showingBytes(
  title: string,
  pieces: AsyncIterable<Uint8Array>,
  terminal: Terminal,
  clock?: () => number,
): AsyncGenerator<Uint8Array> {
  const pace = createPace(clock)
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    const now = pace({ done: bytes, total: bytes, phase: title })
    terminal.progress(`${title} ${sizeText(bytes)}${now ? `, ${sizeText(now.perMinute / 60)}/s` : ''}`)
    yield piece
  }
}
