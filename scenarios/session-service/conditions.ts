/**
 * The properties of a variable that an if may test: how many sessions a list holds, or a field of the data;
 * never an id.
 */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import {
  type ScopeBinding,
  type ValuePath,
  type RandomSource,
  type TestableProperty,
} from '@stateeval/program'
import { getLeafKind, leaves } from './leaves.ts'
import { drawAnotherValue } from './values.ts'

function listFieldConditions(data: JsonObject, path: ValuePath, rng: RandomSource): TestableProperty[] {
  return leaves(data).flatMap(({ path: inside, value }): TestableProperty[] => {
    if (Array.isArray(value)) return []
    const other = drawAnotherValue(getLeafKind(inside), value, rng)
    return other === null ? [] : [{ path: [...path, ...inside], measure: 'value', value, other }]
  })
}

function count(list: readonly JsonValue[], rng: RandomSource): TestableProperty {
  const value = list.length
  return { path: [], measure: 'count', value, other: value > 0 && rng.chance(0.5) ? value - 1 : value + 1 }
}

const getSessionData = (value: JsonValue) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value.data as JsonObject | undefined)
    : undefined

/**
 * All results of a query share the term that it asked by, so only their other fields are worth a condition.
 */
function listQueriedFields({ call }: ScopeBinding): ReadonlySet<string> {
  const names = ['field', 'filter'].flatMap((name) => {
    const argument = call?.args[name]
    if (argument?.kind !== 'literal') return []
    return typeof argument.value === 'string' ? [argument.value] : Object.keys(argument.value as object)
  })
  return new Set(names)
}

export function listSessionConditions(binding: ScopeBinding, rng: RandomSource): TestableProperty[] {
  const { value } = binding
  if (!Array.isArray(value))
    return rng.shuffle(listFieldConditions(getSessionData(value) ?? {}, ['data'], rng))
  const queried = listQueriedFields(binding)
  const inside = value
    .flatMap((item, index) => listFieldConditions(getSessionData(item) ?? {}, [index, 'data'], rng))
    .filter(({ path }) => !queried.has(path.slice(1).join('.')))
  const shuffled = rng.shuffle(inside)
  return rng.chance(0.5) ? [count(value, rng), ...shuffled] : [...shuffled, count(value, rng)]
}
