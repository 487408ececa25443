/**
 * How deep a value may be nested before no reader follows it: Python's, which the published evaluator reads
 * with, gives up at 1,000.
 */
import type { JsonValue } from '@stateeval/contracts'

export const deepest = 900

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Level by level, so that hostile depth costs no stack. */
export function isTooDeep(value: JsonValue | undefined): boolean {
  let level: object[] = isContainer(value) ? [value] : []
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= deepest) return true
    level = level.flatMap((one) => (Object.values(one) as unknown[]).filter(isContainer))
  }
  return false
}
