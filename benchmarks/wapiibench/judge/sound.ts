/**
 * One request against the expected one, as a careful reader compares them: legality is that of the endpoint
 * that was asked, header names have no case, and values count as equal where they are written the same in
 * their place.
 */
import { type Json, ownMember, isRecord } from '@stateeval/contracts'
import { isTooDeep } from '../capture/depth.ts'
import type { Endpoint, Endpoints } from '../specification/endpoints.ts'
import { type Location, locations, type SpecifiedOperation, type Parameter } from '../specification/types.ts'
import { documentedSoundly, isSpecial } from './documented.ts'
import { jsonEqual, writtenEqual } from './equality.ts'
import { endpointSays, plurals, words } from './published.ts'
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
  unreadable?: { location: Location; value: Json }[]
}

export function judgeSound(expected: RequestConfig, actual: SoundRequest, endpoints: Endpoints): Judged {
  const expectedMatch = endpoints.sound(expected.url, expected.method)
  const had = endpoints.sound(actual.url, actual.method)
  const url = had
    ? had.endpoint === expectedMatch?.endpoint
      ? 'CORRECT'
      : 'WRONG_ENDPOINT'
    : 'NONEXISTENT_ENDPOINT'
  const defined = operationOf(had?.endpoint, actual.method) !== undefined
  // A method that its URL doesn't have is illegal, even where it is the expected one.
  const method =
    had && !defined
      ? 'NONEXISTENT_ENDPOINT'
      : actual.method === expected.method
        ? 'CORRECT'
        : had
          ? 'WRONG_ENDPOINT'
          : 'NONEXISTENT_ENDPOINT'
  const judgements = locations.flatMap((location) => {
    const [should, is] =
      location === 'path_params'
        ? [expectedMatch?.values ?? {}, had?.values ?? {}]
        : [isRecord(expected[location]) ? expected[location] : {}, actual[location]]
    return compareField(location, should, is, actual, { endpoints, endpoint: had?.endpoint })
  })
  return {
    url,
    method,
    says: endpointSays(expected, { url: actual.url, method: actual.method }, url, method),
    arguments: judgements,
  }
}

/** Methods are what a candidate says: `constructor` is none of an endpoint. */
const operationOf = (endpoint: Endpoint | undefined, method: string): SpecifiedOperation | undefined =>
  endpoint && ownMember(endpoint.operations, method)

function compareField(
  location: Location,
  expectedValues: Record<string, Json>,
  had: Record<string, Json>,
  actual: SoundRequest,
  { endpoints, endpoint }: { endpoints: Endpoints; endpoint: Endpoint | undefined },
): JudgedArgument[] {
  const key = (name: string) => (location === 'headers' ? name.toLowerCase() : name)
  const byKey = new Map(Object.entries(had).map(([name, value]) => [key(name), { name, value }]))
  const judgements: JudgedArgument[] = []
  const operation = operationOf(endpoint, actual.method)
  const parameter = (name: string) =>
    operation?.parameters.find((one) => one.in === 'query' && one.name === name)
  for (const [name, expected] of Object.entries(expectedValues)) {
    if (location === 'headers' && isSpecial(name)) continue
    const one = byKey.get(key(name))
    byKey.delete(key(name))
    if (!one) judgements.push({ location, name, verdict: 'MISSING_KEY', expected })
    else
      judgements.push({
        location,
        name,
        verdict: sameValue(location, expected, one.value, actual, parameter(name))
          ? 'CORRECT'
          : 'INCORRECT_VALUE',
        expected,
        actual: one.value,
      })
  }
  for (const { name, value } of byKey.values()) {
    if (location === 'headers' && isSpecial(name)) continue
    const isDocumented = documentedSoundly(endpoints.specification, operation, location, name)
    const place = endpoint
      ? `${actual.method.toUpperCase()} ${endpoint.template}`
      : 'an endpoint that the specification does not have'
    const why = isDocumented
      ? `${place} takes it, the task does not ask for it`
      : `${place} has no such ${words[location]}`
    judgements.push({
      location,
      name,
      verdict: isDocumented ? 'UNNECESSARY_KEY' : 'ILLEGAL_KEY',
      actual: value,
      why,
    })
  }
  for (const one of actual.unreadable ?? [])
    if (one.location === location)
      judgements.push({
        location,
        name: '',
        verdict: 'ILLEGAL_KEY',
        actual: one.value,
        why: `it is not an object of named ${plurals[location]}`,
      })
  return judgements
}

/** Only a JSON body has types; in a query they are the specification's. */
function sameValue(
  location: Location,
  expected: Json,
  actual: Json,
  { form }: SoundRequest,
  parameter: Parameter | undefined,
): boolean {
  if (location === 'data')
    return form ? writtenEqual(expected, formValue(expected, actual)) : jsonEqual(expected, actual)
  if (location === 'headers') return writtenEqual(schemeFolded(expected), schemeFolded(actual))
  if (location === 'path_params') return expected === actual
  return sameInQuery(expected, actual, parameter)
}

/**
 * A list is written as pairs, or with commas where the specification doesn't explode it; numbers count by
 * their value.
 */
function sameInQuery(expected: Json, actual: Json, { type = '', explode }: Partial<Parameter> = {}): boolean {
  const asList = (value: Json): Json =>
    typeof value === 'string' && explode === false ? value.split(',') : [value]
  const numeric = /^(array of )*(integer|number)$/.test(type)
  const same = (a: Json, b: Json) => (numeric ? writtenEqual(numbersOf(a), numbersOf(b)) : writtenEqual(a, b))
  if (Array.isArray(expected) && !Array.isArray(actual)) return same(expected, asList(actual))
  if (Array.isArray(actual) && !Array.isArray(expected))
    return same(type.startsWith('array') ? asList(expected) : [expected], actual)
  return same(expected, actual)
}
const number = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i
function numbersOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(numbersOf)
  return typeof value === 'string' && number.test(value) ? Number(value) : value
}

/** A nested value inside a form is mostly written as JSON; a list of one is one value. */
function formValue(expected: Json, actual: Json): Json {
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'string') return actual
  const single = Array.isArray(expected) ? [actual] : actual
  try {
    const value = JSON.parse(actual) as Json
    return typeof value === 'object' && !isTooDeep(value) ? value : single
  } catch {
    return single
  }
}

/** The name of an authentication scheme has no case: `bearer x` is `Bearer x`. */
const schemeFolded = (value: Json): Json =>
  typeof value === 'string'
    ? value.trim().replace(/^(bearer|basic)\s+/i, (scheme) => scheme.trim().toLowerCase() + ' ')
    : value
