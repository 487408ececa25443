/** How large elements get: log2, as sums of so many independent products. */
import { fanIn, scaledSeed } from '@stateeval/program'
import { factsOf, type Tensor, type TensorWorld } from './state.ts'

/**
 * A fresh weight is scaled by its fan-in, so that it leaves sizes as they are; a tensor used as a weight is
 * not.
 */
export function magnitudeOf(world: TensorWorld, input: Tensor, weight: Tensor): number {
  const terms = fanIn(weight.shape)
  const weightMagnitude = weight.seed?.startsWith(scaledSeed)
    ? -0.5 * Math.log2(terms)
    : factsOf(world, weight).magnitude
  return factsOf(world, input).magnitude + weightMagnitude + 0.5 * Math.log2(terms) + 0.25
}
