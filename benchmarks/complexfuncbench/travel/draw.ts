/**
 * Draws from its seed: streams of numbers by label, and ids that nobody can guess without the
 * seed.
 */
import { sha256 } from '@stateeval/contracts'
import { createRng, type Rng } from '@stateeval/program'

/** A stream of its own for each thing that is drawn: drawing more for one hotel never shifts another. */
export const rngOf = (seed: string, ...labels: readonly (string | number)[]): Rng =>
  createRng([seed, ...labels].join('/'))

const digest = (seed: string, labels: readonly (string | number)[]) => sha256([seed, ...labels].join('/'))

/** A decimal id of at most nine digits. */
export const numberId = (seed: string, ...labels: readonly (string | number)[]): number =>
  100_000_000 + (Number.parseInt(digest(seed, labels).slice(0, 12), 16) % 900_000_000)

/** An id in letters and digits. */
export const textId = (seed: string, length: number, ...labels: readonly (string | number)[]): string =>
  BigInt(`0x${digest(seed, labels)}`)
    .toString(36)
    .padStart(49, '0')
    .slice(-length)

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits))
