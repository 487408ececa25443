/** One captured request against the expected one, exactly as the published evaluator compares them. */
import { type JsonValue, getOwnMember, isRecord } from '@stateeval/contracts'
import type { SpecifiedEndpoints } from '../specification/endpoints.ts'
import { type RequestLocation, locations } from '../specification/types.ts'
import { isDocumentedPublished, isCounted, listObjectKeys } from './documented.ts'
import { isPythonEqual } from './equality.ts'
import type {
  ErrorVerdict,
  ComparedFields,
  RequestJudgement,
  JudgedArgument,
  RequestConfig,
} from './types.ts'

const collectComparedFields = (
  { headers, params, data, url }: RequestConfig,
  endpoints: SpecifiedEndpoints,
): ComparedFields => {
  const path_params = endpoints.publishedValues(url)
  return {
    ...(headers !== undefined && { headers }),
    ...(params !== undefined && { params }),
    ...(data !== undefined && { data }),
    ...(path_params && { path_params }),
  }
}

/** Arguments that count, by location: what a candidate without a request misses. */
function countExpected(
  expected: RequestConfig,
  endpoints: SpecifiedEndpoints,
): Partial<Record<RequestLocation, number>> {
  const fields = collectComparedFields(expected, endpoints)
  return Object.fromEntries(
    locations.flatMap((location) => {
      const count = listObjectKeys(fields[location]).filter((name) => isCounted(location, name)).length
      return count > 0 ? [[location, count]] : []
    }),
  )
}

export const judgeErrorVerdict = (
  error: ErrorVerdict,
  says: string,
  expected: RequestConfig,
  endpoints: SpecifiedEndpoints,
): RequestJudgement => ({
  error,
  says,
  expected: countExpected(expected, endpoints),
})

export function judgeRequestPublished(
  expected: RequestConfig,
  actual: RequestConfig,
  endpoints: SpecifiedEndpoints,
): RequestJudgement {
  const [first] = endpoints.published(expected.url)
  const candidates = endpoints.published(actual.url)
  const [expectedFields, had] = [
    collectComparedFields(expected, endpoints),
    collectComparedFields(actual, endpoints),
  ]
  const operation = getOwnMember(first?.operations ?? {}, expected.method)
  const documented = (location: RequestLocation, name: string) =>
    isDocumentedPublished(endpoints.specification, operation, expected.method, location, name)
  const url =
    first && candidates.includes(first)
      ? 'CORRECT'
      : candidates.length === 0
        ? 'NONEXISTENT_ENDPOINT'
        : 'WRONG_ENDPOINT'
  const method =
    actual.method === expected.method
      ? 'CORRECT'
      : candidates.some(({ operations }) => Object.hasOwn(operations, actual.method))
        ? 'WRONG_ENDPOINT'
        : 'NONEXISTENT_ENDPOINT'
  return {
    url,
    method,
    says: describeEndpointDifference(expected, actual, url, method),
    arguments: locations.flatMap((location) =>
      compareField(
        location,
        expectedFields[location],
        had[location],
        documented,
        first?.template ?? expected.url,
      ),
    ),
  }
}

function compareField(
  location: RequestLocation,
  expectedField: JsonValue | undefined,
  had: JsonValue | undefined,
  documented: (location: RequestLocation, name: string) => boolean,
  endpoint: string,
): JudgedArgument[] {
  const fields = isRecord(had) ? had : {}
  const judgements: JudgedArgument[] = []
  for (const [name, expected] of Object.entries(isRecord(expectedField) ? expectedField : {})) {
    if (!Object.hasOwn(fields, name)) judgements.push({ location, name, verdict: 'MISSING_KEY', expected })
    else {
      const value = fields[name] as JsonValue
      judgements.push({
        location,
        name,
        verdict: isPythonEqual(expected, value) ? 'CORRECT' : 'INCORRECT_VALUE',
        expected,
        actual: value,
      })
    }
  }
  for (const [name, value] of Object.entries(fields)) {
    if (isRecord(expectedField) && Object.hasOwn(expectedField, name)) continue
    const isDocumented = documented(location, name)
    const why = isDocumented
      ? 'the expected endpoint has it, the task does not ask for it'
      : `${endpoint} has no such ${words[location]}`
    judgements.push({
      location,
      name,
      verdict: isDocumented ? 'UNNECESSARY_KEY' : 'ILLEGAL_KEY',
      actual: value,
      why,
    })
  }
  // The released comparer crashes on these; they are never correct.
  if (had !== undefined && had !== null && !isRecord(had))
    judgements.push({
      location,
      name: '',
      verdict: 'ILLEGAL_KEY',
      actual: had,
      why: `it is not an object of named ${plurals[location]}`,
    })
  return judgements
}

export const words: Record<RequestLocation, string> = {
  headers: 'header',
  params: 'query parameter',
  data: 'property of the body',
  path_params: 'path parameter',
}

export const plurals: Record<RequestLocation, string> = {
  headers: 'headers',
  params: 'query parameters',
  data: 'properties of the body',
  path_params: 'path parameters',
}

export function describeEndpointDifference(
  expected: RequestConfig,
  actual: RequestConfig,
  url: string,
  method: string,
): string[] {
  const says: string[] = []
  if (url !== 'CORRECT')
    says.push(
      `the URL is ${actual.url}, ${url === 'NONEXISTENT_ENDPOINT' ? 'which the specification does not have' : 'another endpoint'}; expected: ${expected.url}`,
    )
  if (method !== 'CORRECT')
    says.push(
      `the method is ${actual.method}, ${method === 'NONEXISTENT_ENDPOINT' ? 'which the specification does not have for this URL' : 'that of another endpoint'}; expected: ${expected.method}`,
    )
  return says
}
