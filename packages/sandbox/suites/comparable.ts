/** What two levels must agree about: everything but the time, and the level itself. */
import type { Observation } from '@stateeval/contracts'

export type Comparable = Omit<Observation, 'wallMs' | 'sandbox'>

export const comparable = ({ wallMs: _, sandbox: __, ...rest }: Observation): Comparable => rest

/** Runs the work for each item, so many at a time; the outcomes are in order. */
export async function pooled<T, R>(items: readonly T[], most: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const outcomes: R[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) outcomes[at] = await work(items[at]!)
  }
  await Promise.all(Array.from({ length: most }, worker))
  return outcomes
}
