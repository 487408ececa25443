/**
 * One request against the expected one, as a careful reader compares them: legality is that of the endpoint
 * that was asked, header names have no case, and values count as equal where they are written the same in
 * their place.
 */
import { isRecord, type JsonValue, getOwnMember, sha256 } from '@stateeval/contracts'
import { type CapturedCall } from '../capture/captured.ts'
import {
  listBodyForms,
  parseCookieArgument,
  buildExpectedRequest,
  type OperationAt,
  type SoundRequest,
  buildSoundRequest,
} from '../capture/sound.ts'
import type { SpecifiedEndpoint, SpecifiedEndpoints } from '../specification/endpoints.ts'
import { isOfMedia } from '../specification/media.ts'
import {
  type RequestLocation,
  locations,
  type SpecifiedOperation,
  type SpecifiedParameter,
} from '../specification/types.ts'
import { parsePairText, parsePlaceText, parseNestedJson } from '../specification/written.ts'
import { isDocumentedSoundly, isSpecial } from './documented.ts'
import { isJsonEqual, isWrittenEqual } from './equality.ts'
import { describeEndpointDifference, plurals, words } from './published.ts'
import type { RequestJudgement, JudgedArgument, RequestConfig } from './types.ts'

export function judgeRequestSound(
  expectation: RequestConfig,
  request: CapturedCall,
  endpoints: SpecifiedEndpoints,
): RequestJudgement {
  const operationAt: OperationAt = (url, method) =>
    findMatchingOperation(endpoints.sound(url, method)?.endpoint, method)
  const actual = buildSoundRequest(request, operationAt)
  const expected = buildExpectedRequest(expectation, operationAt, actual.form ?? false)
  const expectedMatch = endpoints.sound(expected.url, expected.method)
  const had = endpoints.sound(actual.url, actual.method)
  const url = had
    ? had.endpoint === expectedMatch?.endpoint
      ? 'CORRECT'
      : 'WRONG_ENDPOINT'
    : 'NONEXISTENT_ENDPOINT'
  const defined = findMatchingOperation(had?.endpoint, actual.method) !== undefined
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
        : [expected[location], actual[location]]
    return compareField(location, should, is, actual, { endpoints, endpoint: had?.endpoint })
  })
  const media =
    url === 'CORRECT' && method === 'CORRECT' ? findMediaFault(expected, actual, had?.endpoint) : []
  return {
    url,
    method,
    says: describeEndpointDifference(expectation, { url: actual.url, method: actual.method }, url, method),
    // Another kind of body explains what differs in it.
    arguments: [...media, ...judgements],
  }
}

/** A body of a kind that neither the endpoint nor the expected request has. */
function findMediaFault(
  expected: SoundRequest,
  { family, data, method }: SoundRequest,
  endpoint: SpecifiedEndpoint | undefined,
): JudgedArgument[] {
  const operation = findMatchingOperation(endpoint, method)
  if (!operation?.body || family === undefined || Object.keys(data).length === 0) return []
  const media = [operation.body, ...(operation.body.others ?? [])].map((one) => one.media)
  if (family === expected.family || media.some((one) => isOfMedia(family, one))) return []
  return [
    {
      location: 'data',
      name: '',
      verdict: 'ILLEGAL_KEY',
      actual: family,
      why: `${method.toUpperCase()} ${endpoint!.template} takes a body of ${media.join(' or ')}`,
    },
  ]
}

/** Methods are what a candidate says: `constructor` is none of an endpoint. */
const findMatchingOperation = (
  endpoint: SpecifiedEndpoint | undefined,
  method: string,
): SpecifiedOperation | undefined => endpoint && getOwnMember(endpoint.operations, method)

function compareField(
  location: RequestLocation,
  expectedValues: Record<string, JsonValue>,
  had: Record<string, JsonValue>,
  actual: SoundRequest,
  { endpoints, endpoint }: { endpoints: SpecifiedEndpoints; endpoint: SpecifiedEndpoint | undefined },
): JudgedArgument[] {
  // Names of headers have no case, names of cookies have.
  const key = (name: string) =>
    location === 'headers' && parseCookieArgument(name) === undefined ? name.toLowerCase() : name
  const byKey = new Map(Object.entries(had).map(([name, value]) => [key(name), { name, value }]))
  const judgements: JudgedArgument[] = []
  const operation = findMatchingOperation(endpoint, actual.method)
  for (const [name, expected] of Object.entries(expectedValues)) {
    if (location === 'headers' && isSpecial(name)) continue
    const one = byKey.get(key(name))
    byKey.delete(key(name))
    if (!one) judgements.push({ location, name, verdict: 'MISSING_KEY', expected })
    else
      judgements.push({
        location,
        name,
        verdict: isSameArgumentValue({ location, name, expected, actual: one.value }, actual, operation)
          ? 'CORRECT'
          : 'INCORRECT_VALUE',
        expected,
        actual: one.value,
      })
  }
  for (const { name, value } of byKey.values()) {
    if (location === 'headers' && isSpecial(name)) continue
    const isDocumented = isDocumentedSoundly(endpoints.specification, operation, { location, name }, actual)
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

type ComparedArgument = Pick<JudgedArgument, 'location' | 'name'> & { expected: JsonValue; actual: JsonValue }

/** Only a JSON body has types; in a query they are the specification's. */
function isSameArgumentValue(
  { location, name, expected, actual }: ComparedArgument,
  request: SoundRequest,
  operation: SpecifiedOperation | undefined,
): boolean {
  if (location === 'data') {
    if (!request.form) return isJsonEqual(expected, actual)
    const field = listBodyForms(operation, request.family)
      .flatMap(({ properties }) => properties)
      .find((one) => one.name === name)
    const told = withFileTexts(expected, actual, field?.file === true)
    return isSameWritten(expected, readFormValue(expected, told), field)
  }
  const cookie = location === 'headers' ? parseCookieArgument(name) : undefined
  const parameter = findParameter(operation, location, name)
  const read = (value: JsonValue) =>
    typeof value !== 'string' || !parameter
      ? value
      : cookie === undefined
        ? parsePlaceText(value, parameter)
        : parsePairText(value, parameter)
  if (location === 'params') return isSameWritten(expected, actual, parameter)
  if (location === 'path_params' || cookie !== undefined) return isWrittenEqual(read(expected), read(actual))
  if (name.toLowerCase() === 'authorization' && request.hasAuth && isBasicPlaceholder(expected)) return true
  return isWrittenEqual(read(foldScheme(expected)), read(foldScheme(actual)))
}

function findParameter(
  operation: SpecifiedOperation | undefined,
  location: RequestLocation,
  name: string,
): SpecifiedParameter | undefined {
  const cookie = location === 'headers' ? parseCookieArgument(name) : undefined
  const place =
    cookie !== undefined
      ? 'cookie'
      : location === 'headers'
        ? 'header'
        : location === 'params'
          ? 'query'
          : 'path'
  const same = (one: string) =>
    place === 'header' ? one.toLowerCase() === name.toLowerCase() : one === (cookie ?? name)
  return operation?.parameters.findLast((one) => one.in === place && same(one.name))
}

/** A list of one is its member; numbers count by their value. */
function isSameWritten(
  expected: JsonValue,
  actual: JsonValue,
  { type = '' }: Partial<SpecifiedParameter> = {},
): boolean {
  const numeric = /^(array of )*(integer|number)$/.test(type)
  const same = (a: JsonValue, b: JsonValue) =>
    numeric ? isWrittenEqual(convertNumbers(a), convertNumbers(b)) : isWrittenEqual(a, b)
  if (Array.isArray(expected) && !Array.isArray(actual)) return same(expected, [actual])
  if (Array.isArray(actual) && !Array.isArray(expected)) return same([expected], actual)
  return same(expected, actual)
}
const number = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i
function convertNumbers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(convertNumbers)
  return typeof value === 'string' && number.test(value) ? Number(value) : value
}

/**
 * Files with the expected content as its text, where the property is a file; a part without a file's name is
 * a plain value, whatever it was made of.
 */
function withFileTexts(expected: JsonValue, actual: JsonValue, isFile: boolean): JsonValue {
  if (Array.isArray(actual))
    return actual.map((one, n) =>
      withFileTexts(Array.isArray(expected) ? (expected[n] ?? null) : expected, one, isFile),
    )
  if (!isCapturedFile(actual)) return actual
  const text = Array.isArray(expected) && expected.length === 1 ? expected[0] : expected
  const isMeant = isFile || actual['filename'] === undefined
  return isMeant && typeof text === 'string' && sha256(text) === actual['sha256'] ? text : actual
}
/** Values of forms are texts; only the recorder writes a number. */
const isCapturedFile = (value: JsonValue): value is Record<string, JsonValue> =>
  isRecord(value) && typeof value['size'] === 'number' && typeof value['sha256'] === 'string'

/** A nested value inside a form is mostly written as JSON. */
const readFormValue = (expected: JsonValue, actual: JsonValue): JsonValue =>
  typeof expected === 'object' && expected !== null && typeof actual === 'string'
    ? (parseNestedJson(actual) ?? actual)
    : actual

/** `Basic <key>`: the credentials are not known, and axios encodes those of its `auth`. */
const isBasicPlaceholder = (value: JsonValue) =>
  typeof value === 'string' && /^\s*basic\s+<[^<>]+>\s*$/i.test(value)

/** The name of an authentication scheme has no case: `bearer x` is `Bearer x`. */
const foldScheme = (value: JsonValue): JsonValue =>
  typeof value === 'string'
    ? value.trim().replace(/^(bearer|basic)\s+/i, (scheme) => scheme.trim().toLowerCase() + ' ')
    : value
