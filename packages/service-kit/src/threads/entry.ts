/** The work of a thread: calls a function of a module, and returns its outcome in slices. */
import type { MessagePort } from 'node:worker_threads'
import { ProblemError } from '@stateeval/contracts'
import { JobRefusal } from '../refusal.ts'
import { isLong } from './is-long.ts'
import { listPreloadedModules } from './preloaded.ts'
import { listMovableMemory, sliceValue } from './slices.ts'

export interface ThreadCall {
  /** The address of the module. */
  module: string
  name: string
  task: unknown
  /** Takes the slices of a long value. */
  port: MessagePort
  /** Slices that were taken so far: the thread gets no further ahead than `ahead`. */
  takenCount: Int32Array<SharedArrayBuffer>
}
/** Errors that say something to the caller keep what they say; others come as they are. */
export type ThreadOutcome =
  | { kind: 'value'; value: unknown }
  | { kind: 'slices' }
  | { kind: 'problem'; problem: Pick<ProblemError, 'code' | 'message' | 'field'> }
  | { kind: 'refusal'; message: string }

for (const module of listPreloadedModules()) await import(module)

const ahead = 2
/** Values of fewer characters and members are copied at once. */
const longest = 16_384

export async function call({ module, name, task, port, takenCount }: ThreadCall): Promise<ThreadOutcome> {
  try {
    const functions = (await import(module)) as Record<string, (task: unknown) => unknown>
    const value = await functions[name]!(task)
    if (!isLong(value, longest)) return { kind: 'value', value }
    let sentCount = 0
    for (const slice of sliceValue(value)) {
      port.postMessage(slice, listMovableMemory(slice))
      sentCount++
      for (
        let count = Atomics.load(takenCount, 0);
        sentCount - count >= ahead;
        count = Atomics.load(takenCount, 0)
      )
        Atomics.wait(takenCount, 0, count)
    }
    // A port that is closed here says so only once this thread has nothing else to wait for.
    port.postMessage(null)
    return { kind: 'slices' }
  } catch (error) {
    if (error instanceof ProblemError) {
      const { code, message, field } = error
      return { kind: 'problem', problem: { code, message, field } }
    }
    if (error instanceof JobRefusal) return { kind: 'refusal', message: error.message }
    throw error
  } finally {
    port.close()
  }
}
