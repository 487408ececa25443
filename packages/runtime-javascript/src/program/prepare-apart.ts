/**
 * Parses long code in a separate thread: some code takes the parser seconds (thousands of declarations, or
 * of groups in a regular expression), in which the service could neither answer nor watch other programs.
 * Parsing counts against the code's limits.
 */
import { Worker } from 'node:worker_threads'
import { type ExecutionEnding, type ExecutionLimits, limitThreadMemory } from '@stateeval/contracts'
import type { ExceededPreparation, PreparedCode } from '@stateeval/runtime'
import { prepare } from './prepare.ts'

/** Code up to this length is parsed within about ten milliseconds; starting a thread takes longer. */
export const maxAtOnce = 8192
const lookEveryMs = 50

/**
 * Like `prepare` for short code. For long code, a promise of it, or of how the code ended within its
 * limits.
 */
export function prepareWithin(
  code: string,
  globals: readonly string[],
  limits: ExecutionLimits,
): PreparedCode | Promise<PreparedCode | ExceededPreparation> {
  return code.length <= maxAtOnce ? prepare(code, globals) : prepareApart(code, globals, limits)
}

const createExceeded = (ending: ExecutionEnding): ExceededPreparation => ({ status: 'exceeded', ending })

function prepareApart(
  code: string,
  globals: readonly string[],
  { cpuSeconds, memoryMiB }: ExecutionLimits,
): Promise<PreparedCode | ExceededPreparation> {
  const thread = new Worker(new URL('./prepare-thread.ts', import.meta.url), {
    workerData: { code, globals },
    env: {},
    execArgv: [],
    stderr: true,
    resourceLimits: limitThreadMemory(memoryMiB),
  })
  return new Promise<PreparedCode | ExceededPreparation>((resolve, reject) => {
    const look = setInterval(() => {
      thread.cpuUsage().then(
        ({ user, system }) => {
          if (user + system > cpuSeconds * 1e6)
            end(() =>
              resolve(createExceeded({ status: 'timeout', limit: 'cpu', afterMs: cpuSeconds * 1000 })),
            )
        },
        () => {}, // It has ended; its message or its error says how.
      )
    }, lookEveryMs)
    const end = (settle: () => void) => {
      clearInterval(look)
      settle()
      void thread.terminate()
    }
    thread.once('message', (prepared: PreparedCode) => end(() => resolve(prepared)))
    thread.once('error', (error: NodeJS.ErrnoException) =>
      end(() =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? resolve(createExceeded({ status: 'killed', by: 'memory' }))
          : reject(error),
      ),
    )
    thread.once('exit', () => end(() => reject(new Error('the thread that parses ended without an answer'))))
  })
}
