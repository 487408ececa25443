/**
 * Draws from its seed: streams of numbers by label, and ids that nobody can guess without the
 * seed.
 */
import { sha256 } from '@stateeval/contracts'
import { createRng, type RandomSource } from '@stateeval/program'

/** A separate stream for each thing that is drawn: drawing more for one hotel never shifts another. */
export const createLabelRng = (seed: string, ...labels: readonly (string | number)[]): RandomSource =>
  createRng([seed, ...labels].join('/'))

const hashLabels = (seed: string, labels: readonly (string | number)[]) => sha256([seed, ...labels].join('/'))

/** A decimal id of at most nine digits. */
export const drawNumberId = (seed: string, ...labels: readonly (string | number)[]): number =>
  100_000_000 + (Number.parseInt(hashLabels(seed, labels).slice(0, 12), 16) % 900_000_000)

/** An id in letters and digits. */
export const drawTextId = (seed: string, length: number, ...labels: readonly (string | number)[]): string =>
  BigInt(`0x${hashLabels(seed, labels)}`)
    .toString(36)
    .padStart(49, '0')
    .slice(-length)

export const roundDecimals = (value: number, digits = 2): number => Number(value.toFixed(digits))
