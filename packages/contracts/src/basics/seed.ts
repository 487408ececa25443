/** Seeds of random draws. */
import { createHash } from 'node:crypto'
import Type from 'typebox'

export const Seed = Type.Union(
  [
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    Type.String({ minLength: 1, maxLength: 100 }),
  ],
  { description: 'Same seed, same bytes' },
)

/** The number of a seed: a number stands for itself, a text for a whole number below 2^48. */
export const toSeedNumber = (seed: string | number): number =>
  typeof seed === 'number' ? seed : createHash('sha256').update(seed).digest().readUIntBE(0, 6)

/**
 * The number of a model's answer to a repeated question, from a seed: for a text, a whole number below
 * 2^32.
 */
export const toSampleNumber = (seed: string | number): number =>
  typeof seed === 'number'
    ? seed
    : Number.parseInt(createHash('sha256').update(seed).digest('hex').slice(0, 8), 16)
