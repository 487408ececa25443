/**
 * A captured request as it would have reached the server: joined, split and decoded as URLs and forms are.
 * Never throws.
 */
import { type Json, isRecord } from '@stateeval/contracts'
import { writtenEqual } from '../judge/equality.ts'
import type { SoundRequest } from '../judge/sound.ts'
import type { Location } from '../specification/types.ts'
import type { Captured } from './captured.ts'
import { isTooDeep } from './depth.ts'
import { argumentOf, namedValues, type Pair } from './named-values.ts'

export function soundRequest(request: Captured): SoundRequest {
  const { method, url = '', baseURL, headers, auth } = request
  const whole = joined(url, baseURL)
  const [address, query = ''] = split(whole.split('#')[0]!, '?')
  const unreadable: NonNullable<SoundRequest['unreadable']> = []
  const pairs = paramsOf(request, unreadable)
  const params = namedValues([...pairs, ...withoutRepeated([...new URLSearchParams(query)], pairs)])
  const { data, form } = bodyOf(request, unreadable)
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

/**
 * The URL's pairs without those that params say once more: both are sent, and only other values make a
 * difference.
 */
function withoutRepeated(ofUrl: readonly Pair[], ofParams: readonly Pair[]): Pair[] {
  const [inUrl, inParams] = [namedValues(ofUrl), namedValues(ofParams)]
  const asList = (value: Json) => (Array.isArray(value) ? value : [value])
  const repeated = (name: string) =>
    Object.hasOwn(inParams, name) && writtenEqual(asList(inUrl[name] as Json), asList(inParams[name] as Json))
  return ofUrl.filter(([name]) => !repeated(argumentOf(name)))
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
      : `${withoutSlashes(base)}/${url.replace(/^\/+/, '')}`
/** By hand: a pattern would look at long runs of slashes again and again. */
function withoutSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

/**
 * Params that are a text or URLSearchParams, or that the program writes itself, are told as they stand in the
 * address.
 */
function paramsOf(
  { params, serialized, uri = '', url = '' }: Captured,
  unreadable: { location: Location; value: Json }[],
): Pair[] {
  if (params === undefined || params === null) return []
  if (isTooDeep(params)) {
    unreadable.push({ location: 'params', value: tooDeep })
    return []
  }
  if (isRecord(params) && Object.keys(params).length > 0 && !serialized)
    return Object.entries(params).filter(([, value]) => value !== null)
  // What axios can't write into an address, it can't send.
  if (isRecord(params) || serialized || (typeof params === 'string' && uri !== '')) {
    const before = new URLSearchParams(split(url.split('#')[0]!, '?')[1] ?? '').size
    return [...new URLSearchParams(split(uri.split('#')[0]!, '?')[1] ?? '')].slice(before)
  }
  unreadable.push({ location: 'params', value: params })
  return []
}
const tooDeep = 'values that are nested too deeply'

function bodyOf(
  { data, dataType, headers }: Captured,
  unreadable: { location: Location; value: Json }[],
): { data: Record<string, Json>; form?: boolean } {
  if (data === undefined || data === null || data === '') return { data: {} }
  if (dataType === 'FormData' || dataType === 'form-data') {
    return { data: namedValues(data as [string, Json][]), form: true }
  }
  if (isTooDeep(data)) return unread(tooDeep)
  if (isRecord(data)) return { data }
  if (typeof data !== 'string') return unread(data)
  const media = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const body = json(data)
  if (isTooDeep(body)) return unread(tooDeep)
  if (isRecord(body)) return { data: body }
  if (body === null) return { data: {} }
  if (body === undefined && (String(media).includes('urlencoded') || /^[^=&\s]+=/.test(data))) {
    return { data: namedValues([...new URLSearchParams(data)]), form: true }
  }
  return unread(body ?? data)

  function unread(value: Json) {
    unreadable.push({ location: 'data', value })
    return { data: {} }
  }
}

function json(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const basic = (auth: Json | undefined): Record<string, Json> =>
  isRecord(auth)
    ? {
        Authorization: `Basic ${Buffer.from(`${String(auth['username'] ?? '')}:${String(auth['password'] ?? '')}`).toString('base64')}`,
      }
    : {}
