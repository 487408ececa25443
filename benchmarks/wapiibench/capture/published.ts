/** What the published evaluator's mock writes down of a request (facts §5), from what was captured. Throws where the mock does. */
import type { Json } from '@stateeval/contracts'
import { isObject } from '../judge/equality.ts'
import type { RequestConfig } from '../judge/types.ts'
import type { Captured } from './captured.ts'

/** The mock fails on this request, so the program ends with an error. */
export class MockError extends Error {}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new MockError(`${JSON.stringify(text.slice(0, 100))} is no valid percent-encoding`)
  }
}
const splitAt = (text: string, separator: string): [string, string | undefined] => {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

export function publishedConfig({ method, url, headers, params, data, dataType }: Captured): RequestConfig {
  const [left, query] = splitAt(decode(url ?? 'undefined'), '?')
  const written = query === undefined ? params : withQuery(params, query)
  return {
    url: left,
    method,
    headers,
    ...(written !== undefined && { params: written }),
    ...(data !== undefined && { data: bodyOf(data, dataType) }),
  }
}

/** The URL's pairs are written into params, over what stands there. */
function withQuery(params: Json | undefined, query: string): Json {
  if (params === null) throw new MockError('there are a query in the URL and params that are null')
  // A property that is set on a text is lost, and one of a list is not told.
  if (params !== undefined && !isObject(params)) return params
  const written: Record<string, Json> = { ...params }
  for (const pair of query.split('&')) {
    const [key, value] = splitAt(pair, '=')
    setOwn(written, key, value ?? true)
  }
  return written
}

function bodyOf(data: Json, dataType: string | undefined): Json {
  if (dataType === 'FormData') throw new MockError('the mock can’t read a native FormData')
  if (dataType === 'form-data') return Object.fromEntries((data as [string, Json][]).map(([name, value]) => [name, String(value)]))
  if (!data || data === 'null') return {}
  if (typeof data !== 'string') return data
  if (!data.startsWith('{')) return formOf(data)
  try {
    return JSON.parse(data) as Json
  } catch {
    throw new MockError('the body begins like JSON and is none')
  }
}

/** Decoded before it is split, so an encoded & in a value splits it. */
function formOf(text: string): Json {
  const fields: Record<string, Json> = {}
  for (const pair of decode(text.replaceAll('+', ' ')).split('&')) {
    const at = pair.indexOf('=')
    const [key, value] = at < 0 ? [pair.slice(0, -1), pair] : [pair.slice(0, at), pair.slice(at + 1)]
    if (key.endsWith('[]')) {
      const name = key.slice(0, -2)
      const before = fields[name]
      setOwn(fields, name, [...(Array.isArray(before) ? before : []), value])
    } else if (key.endsWith(']')) setNested(fields, key.slice(0, -1).split(/\]?\[/), value)
    else setOwn(fields, key, value)
  }
  return fields
}

/** A part that begins with digits makes its container a list. */
function setNested(fields: Record<string, Json>, parts: readonly string[], value: Json): void {
  const [first = '', ...rest] = parts
  if (rest.length === 0) return setOwn(fields, first, value)
  const inner = fields[first]
  const list = /^\d/.test(rest[0]!)
  const into: Record<string, Json> =
    typeof inner === 'object' && inner !== null ? (inner as Record<string, Json>) : ((list ? [] : {}) as Record<string, Json>)
  setOwn(fields, first, into)
  // A place far out would make a list of as many members.
  if (Array.isArray(into) && Number(rest[0]) > 10_000) return
  setNested(into, rest, value)
}

/** Sets a member, also one that is named __proto__. */
function setOwn(fields: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(fields, key, { value, enumerable: true, writable: true, configurable: true })
}
