/** Sets from a seed, made at once: a service pauses between their steps. */
import { createFromSeed } from '../../creation/from-seed.ts'

export function createSeededSet(options: Parameters<typeof createFromSeed>[0]) {
  const steps = createFromSeed(options)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
