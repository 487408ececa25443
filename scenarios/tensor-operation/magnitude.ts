/** How large elements get: log2, as sums of so many independent products. */
import { countFanIn, scaledSeed } from '@stateeval/program'
import { readFacts, type StateTensor, type TensorWorld } from './state.ts'

/**
 * A fresh weight is scaled by its fan-in, so that it leaves sizes as they are; a tensor used as a weight is
 * not.
 */
export function estimateMagnitude(world: TensorWorld, input: StateTensor, weight: StateTensor): number {
  const terms = countFanIn(weight.shape)
  const weightMagnitude = weight.seed?.startsWith(scaledSeed)
    ? -0.5 * Math.log2(terms)
    : readFacts(world, weight).magnitude
  return readFacts(world, input).magnitude + weightMagnitude + 0.5 * Math.log2(terms) + 0.25
}
