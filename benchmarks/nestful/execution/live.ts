/** One call of version 1 as a request to its live API, and what its response gives. */
import { type JsonValue, type LiveRequest, getOwnMember } from '@stateeval/contracts'
import type { ApiHttp } from '../dataset/library.ts'
import type { ListedCall } from '../functions/calls.ts'
import { UnavailableError } from '../functions/errors.ts'
import { isFailure, resolveReferences } from '../functions/run.ts'
import { createWork } from '../functions/work.ts'
import { readWhole } from '../python/read.ts'
import { PyDict, isDict, formatPyJson, type PyValue, formatPyStr } from '../python/value.ts'
import { readReferencePart, listArgumentReferences, stripDollars } from '../references.ts'

/**
 * Values that later calls refer to, as JSON texts: by label, by path. Whole responses would be too large to
 * keep.
 */
export type LiveScope = { [label: string]: { [path: string]: string } }

/** The request, under the host's name as the API's; or why there is none. */
export function buildHttpRequest(
  call: ListedCall,
  http: ApiHttp,
  scope: LiveScope,
): LiveRequest | { fault: string } {
  let args: PyValue
  try {
    args = readWhole(call.arguments, 'lenient')
  } catch {
    return { fault: 'the arguments are missing' }
  }
  if (!isDict(args)) return { fault: 'the arguments are not an object' }
  const results = new Map<string, PyValue>(Object.keys(scope).map((label) => [label, label]))
  const find = (label: PyValue, path: string): PyValue | undefined => {
    const text = getOwnMember(getOwnMember(scope, formatPyStr(label)) ?? {}, path)
    return text === undefined ? undefined : readWhole(text)
  }
  const work = createWork()
  let values: [PyValue, PyValue][]
  try {
    values = [...args].map(([key, value]) => [
      key,
      resolveReferences(value, results, { find, take: work.take }),
    ])
  } catch (error) {
    if (isFailure(error) || error instanceof UnavailableError) return { fault: error.message }
    throw error
  }
  const texts = Object.fromEntries(values.map(([key, value]) => [formatPyStr(key), formatPyParameter(value)]))
  const inPath = http.path.filter((name) => getOwnMember(texts, name) !== undefined)
  const step = inPath.find((name) => isStep(texts[name]!))
  if (step !== undefined) return { fault: `${step} is ${texts[step]}, which would lead to another path` }
  const query = Object.fromEntries(Object.entries(texts).filter(([name]) => !inPath.includes(name)))
  return {
    api: http.host,
    method: http.method,
    path: inPath.reduce((path, name) => withParameter(path, name, texts[name]!), http.endpoint),
    ...(http.method === 'GET' ? { query } : { body: query as JsonValue }),
  }
}
const formatPyParameter = (value: PyValue) =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map(formatPyStr).join(',')
      : formatPyJson(value)

/** A part of a path that URLs take for a step up, or for nothing. */
const isStep = (text: string) => text === '.' || text === '..'

/** In the place of `{name}`; where the endpoint has none, behind it. */
function withParameter(path: string, name: string, value: string): string {
  const encoded = encodeURIComponent(value.toWellFormed())
  return path.includes(`{${name}}`)
    ? path.replaceAll(`{${name}}`, encoded)
    : `${path.replace(/\/$/, '')}/${encoded}`
}

/** Bytes of a scope as JSON: it stands in an episode's state. */
const maxScope = 40_000

/**
 * The scope with what later calls need of a response, or why they cannot have it: the response is none, or
 * they refer to more than there is room for.
 */
export function extendScope(
  calls: readonly ListedCall[],
  at: number,
  { parser }: ApiHttp,
  { status, body }: { status: number; body: string },
  before: LiveScope,
): { scope: LiveScope } | { fault: string } {
  if (status < 200 || status > 299) return { fault: `the API answered ${status}` }
  let response: PyValue
  try {
    response = readWhole(body)
  } catch {
    return { fault: 'the answer of the API is not JSON' }
  }
  const label = stripDollars(calls[at]!.label ?? '')
  const paths = [...listPathsInto(label, calls.slice(at + 1))]
  if (paths.length === 0) return { scope: before }
  const values = paths.flatMap((path): [string, string][] => {
    const value = path === '' ? response : readOutput(response, parser, path)
    return value === undefined ? [] : [[path, formatPyJson(value)]]
  })
  // Names are the model's own, so nothing is assigned by them.
  const scope = { ...before, [label]: Object.fromEntries(values) }
  const bytes = Buffer.byteLength(JSON.stringify(scope))
  if (bytes <= maxScope) return { scope }
  return { fault: `later calls refer to values of ${bytes} bytes; the maximum is ${maxScope}` }
}

/** The paths by which calls refer to a result. */
function listPathsInto(label: string, calls: readonly ListedCall[]): ReadonlySet<string> {
  const isLabel = (name: string) => name === label
  return new Set(
    calls.flatMap((call) => {
      let args: PyValue
      try {
        args = readWhole(call.arguments, 'lenient')
      } catch {
        return []
      }
      if (!isDict(args)) return []
      return listArgumentReferences(args, isLabel).flatMap(({ reference }) =>
        reference.label === label ? [reference.path] : [],
      )
    }),
  )
}

/** Reads a value by an output parser, `result.data[0].{param}`; `{}` stands for the first member. */
export function readOutput(response: PyValue, parser: string, path: string): PyValue | undefined {
  let value: PyValue | undefined = response
  for (const step of parser.replace(/^result\.?/, '').split('.')) {
    if (step === '{param}') return value === undefined ? undefined : readReferencePart(value, path)
    if (step === '{}')
      value = isDict(value) ? [...value.values()].find((item) => item instanceof PyDict) : undefined
    else value = value === undefined ? undefined : readReferencePart(value, step)
  }
  return value
}
