/** One call of version 1 as a request to its live API, and what its response gives. */
import type { Json, LiveRequest } from '@stateeval/contracts'
import type { Http } from '../dataset/library.ts'
import type { ListedCall } from '../functions/calls.ts'
import { isFailure, resolved } from '../functions/run.ts'
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
  if (!isDict(args)) return { fault: 'the arguments are no object' }
  const results = new Map<string, Py>(Object.keys(scope).map((label) => [label, label]))
  const find = (label: Py, path: string): Py | undefined => {
    const text = scope[str(label)]?.[path]
    return text === undefined ? undefined : readWhole(text)
  }
  let values: [Py, Py][]
  try {
    values = [...args].map(([key, value]): [Py, Py] => [key, resolved(value, results, find)])
  } catch (error) {
    if (isFailure(error)) return { fault: error.message }
    throw error
  }
  const texts = Object.fromEntries(values.map(([key, value]) => [str(key), textOf(value)]))
  const inPath = http.path.filter((name) => texts[name] !== undefined)
  const query = Object.fromEntries(Object.entries(texts).filter(([name]) => !inPath.includes(name)))
  return {
    api: http.host,
    method: http.method,
    path: inPath.reduce((path, name) => withParameter(path, name, texts[name]!), http.endpoint),
    ...(http.method === 'GET' ? { query } : { body: query as Json }),
  }
}
const textOf = (value: Py) =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(str).join(',') : jsonOf(value)

/** In the place of `{name}`; where the endpoint has none, behind it. */
function withParameter(path: string, name: string, value: string): string {
  const encoded = encodeURIComponent(value)
  return path.includes(`{${name}}`)
    ? path.replaceAll(`{${name}}`, encoded)
    : `${path.replace(/\/$/, '')}/${encoded}`
}

/** What later calls need of a response; or why it is none. */
export function scopeAfter(
  calls: readonly ListedCall[],
  at: number,
  http: Http,
  { status, body }: { status: number; body: string },
): { values: { [path: string]: string } } | { fault: string } {
  if (status < 200 || status > 299) return { fault: `the API answered ${status}` }
  let response: Py
  try {
    response = readWhole(body)
  } catch {
    return { fault: 'the API answered with what is no JSON' }
  }
  const label = withoutDollars(calls[at]!.label ?? '')
  const paths = new Set(
    calls.slice(at + 1).flatMap((call) => {
      try {
        const args = readWhole(call.arguments, 'lenient')
        const known = (name: string) => name === label
        return isDict(args)
          ? referencesOf(args, known).flatMap(({ reference }) =>
              reference.label === label ? [reference.path] : [],
            )
          : []
      } catch {
        return []
      }
    }),
  )
  const values: { [path: string]: string } = {}
  for (const path of paths) {
    const value = path === '' ? response : outputAt(response, http.parser, path)
    if (value !== undefined) values[path] = jsonOf(value).slice(0, 20_000)
  }
  return { values }
}

/** By the output parser: `result.data[0].{param}`; `{}` stands for the first member. */
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
