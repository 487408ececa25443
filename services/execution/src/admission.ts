/**
 * Limits the queue of programs, including those on their way to it. When it is full, callers learn when to
 * retry.
 */
import { ProblemError, subjects } from '@stateeval/contracts'
import type { ExecutionContext } from './context.ts'

/**
 * Requests that are being stored and queued at once. More only wait for each other, and each holds memory.
 */
const maxAtOnce = 256
interface OnTheWay {
  requests: number
  programs: number
}
const onTheWay = new WeakMap<ExecutionContext['store'], OnTheWay>()

/** Does work that queues `count` programs if there is room; otherwise throws a problem with a remedy. */
export async function admitWork<T>(
  programs: number,
  { bus, config, store }: Pick<ExecutionContext, 'bus' | 'config' | 'store'>,
  work: () => Promise<T>,
): Promise<T> {
  const now = onTheWay.get(store) ?? { requests: 0, programs: 0 }
  onTheWay.set(store, now)
  if (now.requests >= maxAtOnce)
    throw new ProblemError(
      'unavailable',
      `${now.requests} requests are being queued, which is the limit; send it again in a moment`,
    )
  now.requests++
  try {
    const [others, tensors] = await Promise.all(
      [subjects.executeAsked, subjects.tensorsAsked].map((subject) => bus.waiting(subject)),
    )
    const ahead = others! + tensors! + now.programs
    if (ahead + programs > config.queue)
      throw new ProblemError(
        'unavailable',
        `${ahead} programs are waiting, and at most ${config.queue} may wait; send ${programs > config.queue ? 'smaller batches' : 'it again in a moment'}`,
      )
    now.programs += programs
    try {
      return await work()
    } finally {
      now.programs -= programs
    }
  } finally {
    now.requests--
  }
}
