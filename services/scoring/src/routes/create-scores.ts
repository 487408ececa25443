import { setImmediate } from 'node:timers/promises'
import { ProblemError, type Score } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { scoreItem } from '../score-item.ts'

export const createScores: Route<'createScores'> = async ({ body, signal }, context) => {
  if (!('items' in body)) return { status: 200, body: { scores: [await scoreItem(body, context)] } }
  const scores: Score[] = []
  for (const [n, item] of body.items.entries()) {
    // Others get their turn between two items; nobody waits for the rest of a batch whose caller is gone.
    if (n > 0) await setImmediate()
    signal.throwIfAborted()
    scores.push(await inBatch(n, () => scoreItem(item, context)))
  }
  return { status: 200, body: { scores } }
}

/** A problem of an item names its place in the batch. */
async function inBatch<T>(n: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProblemError)
      throw new ProblemError(error.code, error.message, `/items/${n}${error.field ?? ''}`)
    throw error
  }
}
