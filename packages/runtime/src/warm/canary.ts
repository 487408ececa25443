/**
 * Canaries: programs with a known outcome that run in a warm jail between other programs. What one of these
 * has left behind, by whatever means, shows as a change of the canary’s outcome or of its requests.
 */
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { CellEnd, CellJob } from '../cell.ts'
import { defaultLimits } from '../limits.ts'

/**
 * The canary of a language, prepared. RESULT has the `reply` of its world to a GET of `path` below BASE_URL,
 * null without a path, and the names of `files` in the writable folders.
 */
export interface CanaryProgram {
  source: string
  columnOffset: number
}

/** Rules of the canaries of all languages. */
export interface CanaryRules {
  /** After so many programs of one owner, a canary runs. */
  every: number
  /** Called after each canary, with what it found that is not as it should be. */
  checked: (problem: string | undefined) => void
}

/** A slow machine is no reason to doubt a jail. */
const wallMs = 60_000

/**
 * Runs a canary in the next child. Returns why the jail is not clean: something was touched, or the canary
 * could not be completed. Undefined if all is as expected.
 */
export async function checkByCanary(
  program: CanaryProgram,
  { http, hasFiles }: { http: boolean; hasFiles: boolean },
  run: (job: CellJob) => Promise<CellEnd>,
): Promise<string | undefined> {
  const nonce = randomBytes(16).toString('hex')
  let requests = 0
  let strays = 0
  const accept = (connection: Duplex) => {
    connection
      .on('error', () => {})
      .once('data', (head: Buffer) => {
        requests++
        if (!head.toString('latin1').startsWith(`GET /${nonce} HTTP/1.1\r\n`)) strays++
        connection.end(
          `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${nonce.length}\r\nconnection: close\r\n\r\n${nonce}`,
        )
      })
  }
  const { output, reading, killed, bail } = await run({
    job: {
      ...program,
      variables: { path: http ? nonce : null },
      resultBytes: 64 * 1024,
      capture: null,
      surface: null,
    },
    limits: { ...defaultLimits, wallMs },
    accept: http ? accept : undefined,
    handle: undefined,
    signal: new AbortController().signal,
  })
  if (strays > 0 || requests > (http ? 1 : 0)) return 'somebody else’s request'
  if (output !== '') return 'somebody else’s output'
  if (killed || bail) return killed ?? bail!
  if (reading.kind !== 'outcome') return reading.kind === 'nothing' ? 'no outcome' : reading.reason
  const { outcome } = reading
  if (outcome.status !== 'completed') return JSON.stringify(outcome).slice(0, 500)
  const { reply, files } = outcome.result as { reply: unknown; files: unknown }
  if (reply !== (http ? nonce : null)) return 'another reply'
  return hasFiles || isDeepStrictEqual(files, []) ? undefined : 'files'
}

/** Confirms whether the jail of one or more runs was clean until the next canary. */
export interface CleanConfirmation {
  /** Number of runs that it is about. */
  readonly count: number
  /** Has a canary run soon. Resolves false if the runs must be repeated elsewhere. Never rejects. */
  confirm(): Promise<boolean>
  /** Calls the listener if the runs turn out not to be confirmed; requests no canary. */
  onRefuted(listener: () => void): void
}

/** The confirmation of several runs, and of none. */
export const mergeConfirmations = (confirmations: readonly CleanConfirmation[]): CleanConfirmation => ({
  count: confirmations.reduce((sum, { count }) => sum + count, 0),
  confirm: async () => (await Promise.all(confirmations.map((one) => one.confirm()))).every(Boolean),
  onRefuted: (listener) => confirmations.forEach((one) => one.onRefuted(listener)),
})

/** Runs of a runner since its last canary. */
export class UncheckedRuns {
  #runs: { settle: (isClean: boolean) => void }[] = []
  #isAwaited = false
  readonly #awaited: () => void

  /** `awaited` is called when somebody waits for a canary. */
  constructor(awaited: () => void) {
    this.#awaited = awaited
  }
  get count() {
    return this.#runs.length
  }
  get isAwaited() {
    return this.#isAwaited
  }
  add(): CleanConfirmation {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    let isSettled = false
    this.#runs.push({
      settle(isClean) {
        isSettled = true
        resolve(isClean)
      },
    })
    return {
      count: 1,
      confirm: () => {
        if (!isSettled) {
          this.#isAwaited = true
          this.#awaited()
        }
        return promise
      },
      onRefuted: (listener) => void promise.then((isClean) => isClean || listener()),
    }
  }
  settle(isClean: boolean) {
    const runs = this.#runs
    this.#runs = []
    this.#isAwaited = false
    for (const { settle } of runs) settle(isClean)
  }
}
