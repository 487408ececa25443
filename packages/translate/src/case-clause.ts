/**
 * The case in which a branch runs, by all conditions on its path: 'if the first condition holds and the
 * second condition does not hold'. Conditions are counted in the order in which they are told.
 */
import { fillTemplate } from './text/template.ts'
import { formatOrdinal } from './text/ordinal.ts'

interface CaseCondition {
  /** From 0. */
  number: number
  holds: boolean
}

const wordings = { true: 'the {nth} condition holds', false: 'the {nth} condition does not hold' } as const

export function sayCase(conditions: readonly CaseCondition[]): string {
  const texts = conditions.map(({ number, holds }) =>
    fillTemplate(wordings[`${holds}`], { nth: formatOrdinal(number) }),
  )
  const last = texts.at(-1) ?? ''
  return `if ${texts.length > 1 ? `${texts.slice(0, -1).join(', ')} and ${last}` : last}`
}
