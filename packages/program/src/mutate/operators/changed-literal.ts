import { canonicalJson, type JsonValue } from '@stateeval/contracts'
import { type MutationOperator, type MutationSite, StepSite } from '../operator.ts'
import { placesOf, slotsOf, formatAtom } from '../positions.ts'

export const changedLiteral: MutationOperator = {
  id: 'changed_literal',
  about:
    'A constant is one step off: a number by one, a text by a letter, a list by an element, or a flipped flag',
  sites(program) {
    const sites: MutationSite[] = []
    for (const [place, step] of placesOf(program))
      for (const { name, atom, put } of slotsOf(step)) {
        if (atom.kind !== 'literal') continue
        for (const value of listLiteralNeighbours(atom.value as JsonValue)) {
          const spell = () =>
            `.${name}: ${formatAtom(atom).slice(0, 80)} → ${JSON.stringify(value).slice(0, 80)}`
          sites.push(new StepSite(program, place, () => [put({ kind: 'literal', value })], spell))
        }
      }
    return sites
  },
}

/**
 * Values of the same type, each one step away; of a list or object those with one part changed, or without an
 * element.
 */
function listLiteralNeighbours(value: JsonValue): JsonValue[] {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return listNumberNeighbours(value)
  if (typeof value === 'string') return [`${value}_`]
  if (value === null) return [0]
  if (Array.isArray(value)) {
    if (value.length === 0) return [[0]]
    const changed = value.flatMap((item, index) =>
      listLiteralNeighbours(item).map((other) => value.with(index, other)),
    )
    // Whichever of several equal neighbours is left out, the rest is the same.
    const isRepeated = (index: number) =>
      index > 0 && canonicalJson(value[index]!) === canonicalJson(value[index - 1]!)
    const shorter = value.flatMap((_, index) => (isRepeated(index) ? [] : [value.toSpliced(index, 1)]))
    return [...changed, ...shorter]
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return [{ key: 0 }]
  return entries.flatMap(([key, item]) =>
    listLiteralNeighbours(item).map((other) => ({ ...value, [key]: other })),
  )
}

const listNumberNeighbours = (value: number) =>
  Number.isInteger(value)
    ? [value - 1, value + 1]
    : [-0.01, 0.01].map((step) => Math.round((value + step) * 1e6) / 1e6)
