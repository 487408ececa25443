/** A captured request as it would have reached the server: joined, split and decoded as URLs and forms are. Never throws. */
import type { Json } from '@stateeval/contracts'
import { isObject } from '../judge/equality.ts'
import type { SoundRequest } from '../judge/sound.ts'
import type { Location } from '../specification/types.ts'
import type { Captured } from './captured.ts'

export function soundRequest(captured: Captured): SoundRequest {
  const { method, url = '', baseURL, headers, auth } = captured
  const whole = joined(url, baseURL)
  const [address, query = ''] = split(whole.split('#')[0]!, '?')
  const unreadable: NonNullable<SoundRequest['unreadable']> = []
  const params = paramsOf(captured, unreadable)
  for (const [name, value] of new URLSearchParams(query)) if (!Object.hasOwn(params, name)) put(params, name, value)
  const { data, form } = bodyOf(captured, unreadable)
  return {
    url: address,
    method,
    headers: { ...headers, ...basic(auth) },
    params,
    data,
    ...(form && { form }),
    ...(unreadable.length > 0 && { unreadable }),
  }
}

const split = (text: string, at: string): [string, string?] => {
  const place = text.indexOf(at)
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + 1)]
}
const joined = (url: string, base: string | undefined) =>
  base === undefined || /^([a-z][a-z\d+\-.]*:)?\/\//i.test(url)
    ? url
    : url === ''
      ? base
      : `${base.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`

/** Params that are a text or URLSearchParams are told as axios writes them into the address. */
function paramsOf({ params, uri = '', url = '' }: Captured, unreadable: { location: Location; found: Json }[]): Record<string, Json> {
  const all: Record<string, Json> = {}
  if (params === undefined || params === null) return all
  if (isObject(params) && Object.keys(params).length > 0) {
    for (const [name, value] of Object.entries(params)) if (value !== null) put(all, name, value)
    return all
  }
  // What axios can't write into an address, it can't send.
  if (isObject(params) || (typeof params === 'string' && uri !== '')) {
    const before = new URLSearchParams(split(url.split('#')[0]!, '?')[1] ?? '').size
    const pairs = [...new URLSearchParams(split(uri.split('#')[0]!, '?')[1] ?? '')].slice(before)
    for (const [name, value] of pairs) put(all, name, value)
    return all
  }
  unreadable.push({ location: 'params', found: params })
  return all
}

function bodyOf(
  { data, dataType, headers }: Captured,
  unreadable: { location: Location; found: Json }[],
): { data: Record<string, Json>; form?: boolean } {
  if (data === undefined || data === null || data === '') return { data: {} }
  if (dataType === 'FormData' || dataType === 'form-data') {
    const fields: Record<string, Json> = {}
    for (const [name, value] of data as [string, Json][]) put(fields, name, value)
    return { data: fields, form: true }
  }
  if (isObject(data)) return { data }
  if (typeof data !== 'string') return unread(data)
  const media = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const parsed = json(data)
  if (isObject(parsed)) return { data: parsed }
  if (parsed === null) return { data: {} }
  if (parsed === undefined && (String(media).includes('urlencoded') || /^[^=&\s]+=/.test(data))) {
    const fields: Record<string, Json> = {}
    for (const [name, value] of new URLSearchParams(data)) put(fields, name, value)
    return { data: fields, form: true }
  }
  return unread(parsed ?? data)

  function unread(found: Json) {
    unreadable.push({ location: 'data', found })
    return { data: {} }
  }
}

/** Repeated names, and names that end in [], make a list; a[b] is a member of a. */
function put(fields: Record<string, Json>, name: string, value: Json): void {
  const list = name.endsWith('[]')
  const key = list ? name.slice(0, -2) : name
  const nested = /^([^[\]]+)\[([^[\]]*[^[\]\d][^[\]]*)\]$/.exec(key)
  if (nested) {
    const inner = fields[nested[1]!]
    const into = isObject(inner) ? inner : {}
    own(fields, nested[1]!, into)
    return put(into, nested[2]!, value)
  }
  const before = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (before !== undefined) own(fields, key, [...(Array.isArray(before) ? before : [before]), value])
  else own(fields, key, list && !Array.isArray(value) ? [value] : value)
}
const own = (fields: Record<string, Json>, key: string, value: Json) =>
  Object.defineProperty(fields, key, { value, enumerable: true, writable: true, configurable: true })

function json(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const basic = (auth: Json | undefined): Record<string, Json> =>
  isObject(auth)
    ? { Authorization: `Basic ${Buffer.from(`${String(auth['username'] ?? '')}:${String(auth['password'] ?? '')}`).toString('base64')}` }
    : {}
