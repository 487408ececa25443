/** A command's output: results on stdout, progress on stderr. With --json, stdout is one JSON value. */
import Table from 'cli-table3'
import pico from 'picocolors'

export type TerminalColors = ReturnType<typeof pico.createColors>

export interface CommandTerminal {
  json: boolean
  /** stderr is a terminal, so that lines may be rewritten. */
  interactive: boolean
  /** Long work prints a line now and then where stderr is no terminal. */
  progressLines: boolean
  /** Characters in a line of stdout; Infinity where it is no terminal. */
  width: number
  /** The command's result: the value with --json, else the text. */
  result: (value: unknown, text: () => string) => void
  /** A line about the way there; not shown with --json. */
  step: (text: string) => void
  /**
   * The same, shown in every case: what somebody needs who has nothing but this output when the command dies.
   */
  notice: (text: string) => void
  /** A line that the next one replaces; shown on a terminal only. */
  progress: (text: string) => void
  colors: TerminalColors
}

/** Tells the steps of starting and ending parts, and what is waited for. */
export const createReporter =
  (terminal: Pick<CommandTerminal, 'step' | 'progress'>) =>
  ({ step, waiting }: { step?: string; waiting?: string }): void => {
    if (step) terminal.step(step)
    if (waiting) terminal.progress(waiting)
  }

export interface TerminalStreams {
  stdout: { write: (text: string) => unknown; isTTY?: boolean; columns?: number }
  stderr: { write: (text: string) => unknown; isTTY?: boolean; columns?: number }
  /**
   * Somebody looks at stdout, or asked for colours. Without it none are written, whatever the environment
   * (CI) makes libraries think.
   */
  colors?: boolean
  /** Progress is wanted as lines where stderr is no terminal; nothing is printed there by default. */
  progressLines?: boolean
}

export function createTerminal(
  json: boolean,
  { stdout, stderr, colors = false, progressLines = false }: TerminalStreams,
): CommandTerminal {
  const interactive = stderr.isTTY === true && !json
  const clear = () => interactive && stderr.write('\r\u001b[K')
  return {
    json,
    interactive,
    progressLines: progressLines && !interactive,
    width: (stdout.isTTY === true && stdout.columns) || Infinity,
    colors: pico.createColors(pico.isColorSupported && colors && !json),
    result: (value, text) => {
      clear()
      const output = json ? JSON.stringify(value) : text()
      // Elsewhere than on a terminal these are bytes to keep: a recording, a report in a file.
      stdout.write((stdout.isTTY ? makeHarmless(output) : output) + '\n')
    },
    step: (text) => {
      clear()
      if (!json) stderr.write(makeHarmless(text) + '\n')
    },
    notice: (text) => {
      clear()
      stderr.write(makeHarmless(text) + '\n')
    },
    // A line that is longer than the terminal would stay there when it is rewritten.
    progress: (text) => {
      if (interactive) stderr.write(`\r\u001b[K${makeHarmless(text).slice(0, (stderr.columns ?? 120) - 1)}`)
    },
  }
}

const escape = String.fromCharCode(0x1b)
/** Characters that turn the direction of what follows: a line could read otherwise than it is. */
const turning = '[\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}]'
const steering = new RegExp(`${escape}\\[\\d{0,2}m|\\r\\n|\\p{Cc}|${turning}`, 'gu')

/**
 * Texts of models, endpoints and programs must not control the terminal. Control characters except line
 * ends and tabs become visible signs, as do those that change the writing direction. Colours stay, because
 * the command itself uses them.
 */
export const makeHarmless = (text: string) =>
  text.replace(steering, (match) =>
    match.length > 1 || match === '\n' || match === '\t' ? match : formatControlSign(match.charCodeAt(0)),
  )
const formatControlSign = (code: number) =>
  code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd'

/** A table without vertical lines; cells are printed with String(). */
export function formatTable(head: string[], rows: (string | number | null | undefined)[][]): string {
  const grid = new Table({ head, style: { head: [], border: [] }, chars: plain })
  for (const row of rows)
    grid.push(row.map((cell) => (cell === null || cell === undefined ? '–' : String(cell))))
  return grid.toString()
}
const none = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
]
const plain = { ...Object.fromEntries(none.map((name) => [name, ''])), middle: '  ' }
