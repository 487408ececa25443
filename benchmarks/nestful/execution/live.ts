/** One call of version 1 as a request to its live API, and what its response gives. */
import { type JsonValue, type LiveRequest, getOwnMember } from '@stateeval/contracts'
import type { Http } from '../dataset/library.ts'
import type { ListedCall } from '../functions/calls.ts'
import { Unavailable } from '../functions/errors.ts'
import { isFailure, resolved } from '../functions/run.ts'
import { createWork } from '../functions/work.ts'
import { readWhole } from '../python/read.ts'
import { Dict, isDict, jsonOf, type Py, str } from '../python/value.ts'
import { partOf, referencesOf, withoutDollars } from '../references.ts'

/**
 * Values that later calls refer to, as JSON texts: by label, by path. Whole responses would be too large to
 * keep.
 */
export type Scope = { [label: string]: { [path: string]: string } }

/** The request, under the host's name as the API's; or why there is none. */
export function requestOf(call: ListedCall, http: Http, scope: Scope): LiveRequest | { fault: string } {
  let args: Py
  try {
    args = readWhole(call.arguments, 'lenient')
  } catch {
    return { fault: 'the arguments are missing' }
  }
  if (!isDict(args)) return { fault: 'the arguments are not an object' }
  const results = new Map<string, Py>(Object.keys(scope).map((label) => [label, label]))
  const find = (label: Py, path: string): Py | undefined => {
    const text = getOwnMember(getOwnMember(scope, str(label)) ?? {}, path)
    return text === undefined ? undefined : readWhole(text)
  }
  const work = createWork()
  let values: [Py, Py][]
  try {
    values = [...args].map(([key, value]) => [key, resolved(value, results, { find, take: work.take })])
  } catch (error) {
    if (isFailure(error) || error instanceof Unavailable) return { fault: error.message }
    throw error
  }
  const texts = Object.fromEntries(values.map(([key, value]) => [str(key), textOf(value)]))
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
const textOf = (value: Py) =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(str).join(',') : jsonOf(value)

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
export function scopeAfter(
  calls: readonly ListedCall[],
  at: number,
  { parser }: Http,
  { status, body }: { status: number; body: string },
  before: Scope,
): { scope: Scope } | { fault: string } {
  if (status < 200 || status > 299) return { fault: `the API answered ${status}` }
  let response: Py
  try {
    response = readWhole(body)
  } catch {
    return { fault: 'the answer of the API is not JSON' }
  }
  const label = withoutDollars(calls[at]!.label ?? '')
  const paths = [...pathsInto(label, calls.slice(at + 1))]
  if (paths.length === 0) return { scope: before }
  const values = paths.flatMap((path): [string, string][] => {
    const value = path === '' ? response : outputAt(response, parser, path)
    return value === undefined ? [] : [[path, jsonOf(value)]]
  })
  // Names are the model's own, so nothing is assigned by them.
  const scope = { ...before, [label]: Object.fromEntries(values) }
  const bytes = Buffer.byteLength(JSON.stringify(scope))
  if (bytes <= maxScope) return { scope }
  return { fault: `later calls refer to values of ${bytes} bytes; the maximum is ${maxScope}` }
}

/** The paths by which calls refer to a result. */
function pathsInto(label: string, calls: readonly ListedCall[]): ReadonlySet<string> {
  const isLabel = (name: string) => name === label
  return new Set(
    calls.flatMap((call) => {
      let args: Py
      try {
        args = readWhole(call.arguments, 'lenient')
      } catch {
        return []
      }
      if (!isDict(args)) return []
      return referencesOf(args, isLabel).flatMap(({ reference }) =>
        reference.label === label ? [reference.path] : [],
      )
    }),
  )
}

/** Reads a place by the output parser: `result.data[0].{param}`; `{}` stands for the first member. */
export function outputAt(response: Py, parser: string, path: string): Py | undefined {
  let value: Py | undefined = response
  for (const step of parser.replace(/^result\.?/, '').split('.')) {
    if (step === '{param}') return value === undefined ? undefined : partOf(value, path)
    if (step === '{}')
      value = isDict(value) ? [...value.values()].find((item) => item instanceof Dict) : undefined
    else value = value === undefined ? undefined : partOf(value, step)
  }
  return value
}
