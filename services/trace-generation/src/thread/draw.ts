/** The programs of a generation, as its thread produces them. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { GeneratedProgram } from '@stateeval/generate'
import { threadEnvironment } from '@stateeval/service-kit'
import type { GenerationEnd, ThreadData, ThreadReport } from './protocol.ts'

/**
 * Passes each program on, in order, and returns what is known at the end. The thread waits for a slower
 * taker. It ends when the taker throws or the signal is aborted; rejects with the thread's error.
 */
export async function draw(
  { order, model }: Pick<ThreadData, 'order' | 'model'>,
  signal: AbortSignal,
  take: (program: GeneratedProgram) => Promise<void>,
): Promise<GenerationEnd> {
  const takenCount = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: ThreadData = { order, takenCount, ...(model && { model }) }
  const worker = new Worker(new URL('./generator.ts', import.meta.url), {
    workerData,
    execArgv: [],
    env: threadEnvironment(),
  })
  try {
    for await (const [report] of on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterable<
      [ThreadReport]
    >) {
      if (report.kind === 'end') return report
      await take(report.program)
      Atomics.add(takenCount, 0, 1)
      Atomics.notify(takenCount, 0)
    }
    throw new Error('the generator thread ended before its generation did')
  } finally {
    await worker.terminate()
  }
}
