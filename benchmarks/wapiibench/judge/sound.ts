/**
 * One request against the expected one, as a careful reader compares them: legality is that of the endpoint that was asked,
 * header names have no case, and values count as equal where they are written the same in their place.
 */
import type { Json } from '@stateeval/contracts'
import type { Endpoint, Endpoints } from '../specification/endpoints.ts'
import { type Location, locations } from '../specification/types.ts'
import { documentedSoundly, isSpecial } from './documented.ts'
import { isObject, jsonEqual, writtenEqual } from './equality.ts'
import { endpointSays, words } from './published.ts'
import type { Judged, JudgedArgument, RequestConfig } from './types.ts'

export interface SoundRequest {
  url: string
  method: string
  headers: Record<string, Json>
  params: Record<string, Json>
  data: Record<string, Json>
  /** The body is a form: all its values are texts. */
  form?: boolean
  /** What can’t be read as named arguments, and where. */
  unreadable?: { location: Location; found: Json }[]
}

export function judgeSound(expected: RequestConfig, actual: SoundRequest, endpoints: Endpoints): Judged {
  const [wanted, had] = [endpoints.sound(expected.url), endpoints.sound(actual.url)]
  const url = had ? (had.endpoint === wanted?.endpoint ? 'CORRECT' : 'WRONG_ENDPOINT') : 'NONEXISTENT_ENDPOINT'
  const defined = had?.endpoint.operations[actual.method] !== undefined
  // A method that its URL doesn't have is illegal, even where it is the expected one.
  const method =
    had && !defined
      ? 'NONEXISTENT_ENDPOINT'
      : actual.method === expected.method
        ? 'CORRECT'
        : had
          ? 'WRONG_ENDPOINT'
          : 'NONEXISTENT_ENDPOINT'
  const judged = locations.flatMap((location) => {
    const [should, is] =
      location === 'path_params'
        ? [wanted?.values ?? {}, had?.values ?? {}]
        : [isObject(expected[location]) ? expected[location] : {}, actual[location]]
    return compareField(location, should, is, actual, { endpoints, endpoint: had?.endpoint })
  })
  return { url, method, says: endpointSays(expected, { url: actual.url, method: actual.method }, url, method), arguments: judged }
}

function compareField(
  location: Location,
  wanted: Record<string, Json>,
  had: Record<string, Json>,
  actual: SoundRequest,
  { endpoints, endpoint }: { endpoints: Endpoints; endpoint: Endpoint | undefined },
): JudgedArgument[] {
  const key = (name: string) => (location === 'headers' ? name.toLowerCase() : name)
  const found = new Map(Object.entries(had).map(([name, value]) => [key(name), { name, value }]))
  const judged: JudgedArgument[] = []
  for (const [name, expected] of Object.entries(wanted)) {
    if (location === 'headers' && isSpecial(name)) continue
    const one = found.get(key(name))
    found.delete(key(name))
    if (!one) judged.push({ location, name, verdict: 'MISSING_KEY', expected })
    else
      judged.push({
        location,
        name,
        verdict: sameValue(location, expected, one.value, actual) ? 'CORRECT' : 'INCORRECT_VALUE',
        expected,
        found: one.value,
      })
  }
  for (const { name, value } of found.values()) {
    if (location === 'headers' && isSpecial(name)) continue
    const known = documentedSoundly(endpoints.specification, endpoint?.operations[actual.method], location, name)
    const place = endpoint ? `${actual.method.toUpperCase()} ${endpoint.template}` : 'an endpoint that the specification doesn’t have'
    const why = known ? `${place} takes it, the task doesn’t ask for it` : `${place} has no such ${words[location]}`
    judged.push({ location, name, verdict: known ? 'UNNECESSARY_KEY' : 'ILLEGAL_KEY', found: value, why })
  }
  for (const one of actual.unreadable ?? [])
    if (one.location === location)
      judged.push({ location, name: '', verdict: 'ILLEGAL_KEY', found: one.found, why: `it is no object of named ${words[location]}s` })
  return judged
}

/** Only a JSON body has types; a list in a query is written as pairs or with commas. */
function sameValue(location: Location, expected: Json, found: Json, { form }: SoundRequest): boolean {
  if (location === 'data') return form ? writtenEqual(expected, formValue(expected, found)) : jsonEqual(expected, found)
  if (location === 'headers') return writtenEqual(schemeFolded(expected), schemeFolded(found))
  if (location === 'path_params') return expected === found
  if (Array.isArray(expected) && typeof found === 'string') return writtenEqual(expected, found.split(','))
  if (Array.isArray(found) && !Array.isArray(expected)) return found.length === 1 && writtenEqual(expected, found[0] as Json)
  return writtenEqual(expected, found)
}

/** A nested value inside a form is mostly written as JSON. */
function formValue(expected: Json, found: Json): Json {
  if (typeof expected !== 'object' || expected === null || typeof found !== 'string') return found
  try {
    return JSON.parse(found) as Json
  } catch {
    return found
  }
}

/** The name of an authentication scheme has no case: `bearer x` is `Bearer x`. */
const schemeFolded = (value: Json): Json =>
  typeof value === 'string' ? value.trim().replace(/^(bearer|basic)\s+/i, (scheme) => scheme.trim().toLowerCase() + ' ') : value
