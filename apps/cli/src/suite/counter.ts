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
