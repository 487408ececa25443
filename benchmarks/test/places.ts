/** Places in JSON values, as lists of keys, and values with another one at a place. */
import type { JsonValue } from '@stateeval/contracts'

type Place = readonly (string | number)[]

/** The places of all members, those that contain others first. */
export function listPlaces(value: JsonValue | undefined, place: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [[...place, key], ...listPlaces(one, [...place, key])])
}

export const readAt = (value: unknown, place: Place): unknown =>
  place.reduce<unknown>(
    (now, key) =>
      typeof now === 'object' && now !== null && Object.hasOwn(now, key)
        ? (now as Record<string | number, unknown>)[key]
        : undefined,
    value,
  )

/** A copy with another member, or without it. A member behind the end of a list is added to it. */
export function change(value: JsonValue, [first, ...rest]: Place, to: JsonValue | undefined): JsonValue {
  if (first === undefined) return to ?? null
  const copy = Array.isArray(value) ? [...value] : { ...(value as Record<string, JsonValue>) }
  const members = copy as Record<string | number, JsonValue>
  if (rest.length > 0) members[first] = change(members[first] ?? {}, rest, to)
  else if (Array.isArray(copy) && Number(first) >= copy.length) copy.push(...(to === undefined ? [] : [to]))
  else if (to !== undefined) members[first] = to
  else if (Array.isArray(copy)) copy.splice(Number(first), 1)
  else delete members[first]
  return copy
}
