/** Values that no two runs share, such as times, take no part in a comparison. */
import type { ComparisonRules, ValuePath } from '@stateeval/program'
import type { ComparedOutcome } from './compare.ts'

/** The outcome with null for each masked value of RESULT; that a value is missing still counts. */
export const maskOutcome = (outcome: ComparedOutcome, { masked = [] }: ComparisonRules): ComparedOutcome =>
  masked.length === 0
    ? outcome
    : { ...outcome, result: masked.reduce<unknown>((value, path) => maskPart(value, path), outcome.result) }

function maskPart(value: unknown, path: ValuePath): unknown {
  const [key, ...rest] = path
  if (key === undefined) return null
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return value
  const masked = maskPart((value as Record<string | number, unknown>)[key], rest)
  return Array.isArray(value)
    ? value.map((item: unknown, index) => (index === key ? masked : item))
    : { ...value, [key]: masked }
}
