/** Progress of work that a command itself does in pieces. */
import type { CommandTerminal } from '../terminal.ts'
import { createPace } from './pace.ts'
import { formatCounts, lineEveryMs, formatProgressLine } from './watch.ts'

/** Writes an occasional line if no line can be rewritten and lines were requested. */
export function createLines(terminal: CommandTerminal, clock: () => number = () => performance.now()) {
  let toldAt = clock()
  return (text: () => string): void => {
    if (!terminal.progressLines || clock() - toldAt < lineEveryMs) return
    toldAt = clock()
    terminal.notice(text())
  }
}

/**
 * Shows how much of `total` is done, with rate and time left: on a terminal, or in lines if those were
 * requested.
 * @param clock of the pace, in milliseconds
 * @returns a function that takes the total done so far, and the phase of the work
 */
export function createCounter(title: string, total: number, terminal: CommandTerminal, clock?: () => number) {
  const pace = createPace(clock)
  const lines = createLines(terminal, clock)
  return (done: number, part: string): void => {
    // The pace is that of the whole, whichever part it is in.
    const now = pace({ done, total, phase: title })
    terminal.progress(formatProgressLine(title, { done, total, phase: part }, now))
    lines(() => `${title}: ${formatCounts({ done, total, phase: part }, now, [])}`)
  }
}

/** Shows an amount of an unknown total, with its rate, so without the time left. */
function createMeter(
  title: string,
  textOf: (done: number, perMinute: number | undefined) => string,
  terminal: CommandTerminal,
  clock?: () => number,
) {
  const pace = createPace(clock)
  const lines = createLines(terminal, clock)
  return (done: number): void => {
    const text = textOf(done, pace({ done, total: done, phase: title })?.perMinute)
    terminal.progress(`${title} ${text}`)
    lines(() => `${title}: ${text}`)
  }
}

const mib = 2 ** 20
const formatSize = (bytes: number) => `${(bytes / mib).toFixed(1)} MiB`
const formatSizeWithRate = (bytes: number, perMinute: number | undefined) =>
  `${formatSize(bytes)}${perMinute === undefined ? '' : `, ${formatSize(perMinute / 60)}/s`}`

/**
 * Passes the pieces through, and shows their size and rate.
 * @param clock of the rate, in milliseconds
 */
export async function* showBytes(
  title: string,
  pieces: AsyncIterable<Uint8Array>,
  terminal: CommandTerminal,
  clock?: () => number,
): AsyncGenerator<Uint8Array> {
  const tell = createMeter(title, formatSizeWithRate, terminal, clock)
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    tell(bytes)
    yield piece
  }
}

/** The lines of a stream, each a row. */
export interface StreamLines {
  total: number
  noun: string
  /** Lines before the first row. */
  heading?: number
  /** True if line breaks in double quotes belong to a cell, as in CSV. */
  quotes?: boolean
}
const lineBreak = 0x0a
const quote = 0x22

/**
 * Passes the pieces through, and shows how many of their lines have arrived, with rate and time left.
 * @param clock of the pace, in milliseconds
 */
export async function* showLines(
  title: string,
  pieces: AsyncIterable<Uint8Array>,
  { total, noun, heading = 0, quotes = false }: StreamLines,
  terminal: CommandTerminal,
  clock?: () => number,
): AsyncGenerator<Uint8Array> {
  const tell = createCounter(title, total, terminal, clock)
  let lines = 0
  let isQuoted = false
  for await (const piece of pieces) {
    for (const byte of piece)
      if (byte === lineBreak && !isQuoted) lines++
      else if (quotes && byte === quote) isQuoted = !isQuoted
    tell(Math.min(total, Math.max(0, lines - heading)), noun)
    yield piece
  }
}

/**
 * Shows a count and its rate, for work whose total is unknown.
 * @param clock of the rate, in milliseconds
 * @returns a function that takes the total done so far
 */
export function createTally(title: string, noun: string, terminal: CommandTerminal, clock?: () => number) {
  const textOf = (done: number, perMinute: number | undefined) =>
    `${done} ${noun}${perMinute === undefined ? '' : `, ${perMinute.toFixed(0)}/min`}`
  return createMeter(title, textOf, terminal, clock)
}
