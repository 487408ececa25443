/** Measures the endpoint's time for an answer: from the request to the last byte, without earlier waits. */
import type { TryModel } from '../request.ts'

/** @param clock milliseconds, monotonic */
export function measured(attempt: TryModel, clock: () => number): TryModel {
  return async (model, request, signal) => {
    const begin = clock()
    const ending = await attempt(model, request, signal)
    return ending.status === 'done' ? { ...ending, ms: Math.max(0, Math.round(clock() - begin)) } : ending
  }
}
