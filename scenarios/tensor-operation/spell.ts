/** How a number of a program is written: now and then from the end, or left out where it is the default. */
import type { Expr } from '@stateeval/contracts'
import { createLiteral, type RandomSource } from '@stateeval/program'

/** A dimension, sometimes counted from the end. */
export const spellDimension = (dim: number, rank: number, rng: RandomSource) =>
  rng.chance(0.2) ? dim - rank : dim

/** The argument `dim`, left out where it is 0: whether a default is written can't show. */
export const createDimArgument = (dim: number, rank: number, rng: RandomSource): Record<string, Expr> =>
  dim === 0 ? {} : { dim: createLiteral(spellDimension(dim, rank, rng)) }
