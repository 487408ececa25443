/**
 * Processes what is long in separate threads, so that a service answers other requests while it reads what a
 * model or a caller wrote. A thread that needs too much memory or time ends, and the service continues.
 */
import { isMarkedAsUntransferable, MessageChannel } from 'node:worker_threads'
import { limitThreadMemory, ProblemError } from '@stateeval/contracts'
import { Piscina } from 'piscina'
import { computeQuarterMiB } from '../own-memory.ts'
import { JobRefusal } from '../refusal.ts'
import type { ThreadCall, ThreadOutcome } from './entry.ts'
import { ValueAssembly, type ValueSlice } from './slices.ts'

export { isLong, maxInPlace } from './is-long.ts'

export interface ThreadPool {
  /**
   * Calls the function of that name which the file exports. What goes in is copied at once. What comes out
   * comes in slices, and bytes in it move: a function that keeps some returns copies. Rejects with a
   * problem if it needs more memory than a thread has, or more than `maxMs`.
   */
  run<T>(name: string, task: unknown, limits?: RunLimits): Promise<T>
  close(): Promise<void>
}
interface RunLimits {
  maxMs?: number
  /** Ends the thread when it fires. */
  signal?: AbortSignal
  /** The task is bytes that nobody needs here any more: they move instead of being copied. */
  isGivenAway?: boolean
}
interface ThreadOptions {
  maxThreads?: number
  /** Idle threads end after so long. */
  idleMs?: number
  /** Memory of one thread. */
  maxMiB?: number
}

/**
 * Returns the environment of a thread: nothing of the service's, as keys of models have no business there,
 * but the folder of compiled modules, without which a thread compiles all that it loads.
 */
export function threadEnvironment(): Record<string, string> {
  const cache = process.env['NODE_COMPILE_CACHE']
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }
}

/** Threads that load a file; created on demand, and ended after an idle period. */
export function createThreads(
  file: URL,
  { maxThreads = 2, idleMs = 60_000, maxMiB = computeQuarterMiB(1024) }: ThreadOptions = {},
): ThreadPool {
  let pool: Piscina | undefined
  let isClosed = false
  /** A thread that ends before it is ready leaves what waits for it: the pool ends then, and that with it. */
  const giveUp = (failed: Piscina) => {
    if (pool === failed) pool = undefined
    void failed.destroy()
  }
  const opened = () => {
    if (pool) return pool
    const made = new Piscina({
      filename: new URL('./entry.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads,
      idleTimeout: idleMs,
      execArgv: [],
      resourceLimits: limitThreadMemory(maxMiB),
      env: threadEnvironment(),
    })
    made.on('error', () => giveUp(made))
    return (pool = made)
  }
  return {
    async run<T>(name: string, task: unknown, { maxMs, signal, isGivenAway = false }: RunLimits = {}) {
      const { port1, port2 } = new MessageChannel()
      const assembly = new ValueAssembly()
      const takenCount = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      const complete = Promise.withResolvers<void>()
      port1.on('message', (slice: ValueSlice | null) => {
        if (slice === null) return complete.resolve()
        assembly.add(slice)
        Atomics.add(takenCount, 0, 1)
        Atomics.notify(takenCount, 0)
      })
      const late = maxMs === undefined ? undefined : AbortSignal.timeout(maxMs)
      const signals = [late, signal].filter((one) => one !== undefined)
      const usedPool = opened()
      try {
        const call: ThreadCall = { module: file.href, name, task, port: port2, takenCount }
        const outcome = (await usedPool.run(call, {
          name: 'call',
          transferList: isGivenAway && isMovable(task) ? [port2, task.buffer] : [port2],
          ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
        })) as ThreadOutcome
        if (outcome.kind === 'slices') await complete.promise
        return assembleOutcome<T>(outcome, assembly)
      } catch (error) {
        signal?.throwIfAborted()
        if (isClosed) throw new ProblemError('unavailable', 'the service is stopping; try again')
        if (pool !== usedPool)
          throw new ProblemError('unavailable', 'a thread of this service could not start; try again')
        throw findThreadLimit(error, { maxMiB, ...(late?.aborted && { maxMs: maxMs! }) }) ?? error
      } finally {
        port1.close()
      }
    },
    async close() {
      isClosed = true
      await pool?.destroy()
    },
  }
}

/** Tells whether bytes own their whole memory. */
const isMovable = (task: unknown): task is Uint8Array<ArrayBuffer> =>
  task instanceof Uint8Array &&
  task.buffer instanceof ArrayBuffer &&
  task.byteLength === task.buffer.byteLength &&
  !isMarkedAsUntransferable(task.buffer)

function assembleOutcome<T>(outcome: ThreadOutcome, { value }: ValueAssembly): T {
  switch (outcome.kind) {
    case 'value':
      return outcome.value as T
    case 'slices':
      return value as T
    case 'problem':
      throw new ProblemError(outcome.problem.code, outcome.problem.message, outcome.problem.field)
    case 'refusal':
      throw new JobRefusal(outcome.message)
  }
}

/** The limit that a thread ended at. */
function findThreadLimit(
  error: unknown,
  { maxMiB, maxMs }: { maxMiB: number; maxMs?: number },
): ProblemError | null {
  if (maxMs !== undefined)
    return new ProblemError(
      'payload-too-large',
      `this takes longer than the ${maxMs / 1000} s that one request may compute; send less at once`,
    )
  if ((error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new ProblemError(
      'payload-too-large',
      `this needs more than the ${maxMiB} MiB of memory that one request may use; send less at once`,
    )
  return null
}
