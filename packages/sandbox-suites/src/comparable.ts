/** The parts that two levels must agree about: everything but the time, the seed, and the level itself. */
import type { Observation } from '@stateeval/contracts'

export type Comparable = Omit<Observation, 'wallMs' | 'sandbox' | 'seed'>

/**
 * Requests that are made at once arrive in any order; boundaries of forms and addresses of objects are drawn.
 */
export function comparable(
  { wallMs: _, sandbox: __, seed: ___, log, ...rest }: Observation,
  code: string,
): Comparable {
  const requests = log.map((request) => ({
    ...request,
    requestBody: request.requestBody?.replace(/(?<!-)-{20,}[0-9a-f]{24}/g, 'BOUNDARY') ?? '',
  }))
  const text = (request: object) => JSON.stringify(request)
  const same = JSON.parse(text(rest).replace(/ at 0x[0-9a-f]{6,}/g, ' at 0x')) as typeof rest
  return {
    ...same,
    log: atOnce.test(code) ? requests.sort((a, b) => (text(a) < text(b) ? -1 : 1)) : requests,
  }
}
const atOnce = /Promise\.(all|any|race)|axios\.all|forEach\(async|at once/

/** Runs the work for each item, so many at a time; the outcomes are in order. */
export async function pooled<T, R>(
  items: readonly T[],
  maxAtOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const outcomes: R[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) outcomes[at] = await work(items[at]!)
  }
  await Promise.all(Array.from({ length: maxAtOnce }, worker))
  return outcomes
}
