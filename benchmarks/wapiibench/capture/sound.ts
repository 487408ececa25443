/**
 * A captured request as it would have reached the server: joined, split and decoded as URLs and forms are,
 * in the names and styles of the operation that it calls. Never throws.
 */
import { type CapturedFile, type JsonValue, isRecord } from '@stateeval/contracts'
import { writtenEqual } from '../judge/equality.ts'
import type { RequestConfig } from '../judge/types.ts'
import { familyOf, isOfMedia } from '../specification/media.ts'
import type { BodyForm, Location, SpecifiedOperation } from '../specification/types.ts'
import type { WrittenField } from '../specification/written.ts'
import type { Captured } from './captured.ts'
import { isTooDeep } from './depth.ts'
import { namedValues, nameReader, type Pair, pairsOf } from './named-values.ts'

/** The operation that a request calls, if the specification has one. */
export type OperationAt = (url: string, method: string) => SpecifiedOperation | undefined

/** A request in named arguments. */
export interface SoundRequest {
  url: string
  method: string
  headers: Record<string, JsonValue>
  params: Record<string, JsonValue>
  data: Record<string, JsonValue>
  /** The kind of its body, such as JSON; undefined without a body. */
  family?: string
  /** The body is a form: all its values are texts. */
  form?: boolean
  /** Credentials by axios's `auth` or in the URL: axios encodes them itself. */
  hasAuth?: boolean
  /** Values that are no named arguments, and where. */
  unreadable?: { location: Location; value: JsonValue }[]
}
type UnreadableParts = NonNullable<SoundRequest['unreadable']>

export function soundRequest(request: Captured, operationAt: OperationAt): SoundRequest {
  const { method, url = '', baseURL, headers, auth } = request
  const [whole, userinfo] = withoutUserinfo(joined(url, baseURL))
  const [address, query = ''] = split(whole.split('#')[0]!, '?')
  const operation = operationAt(address, method)
  const unreadable: UnreadableParts = []
  const pairs = paramsOf(request, unreadable)
  const fields = fieldsIn(operation, 'query')
  const params = namedValues([...pairs, ...withoutRepeated(pairsIn(query), pairs, fields)], fields)
  const credentials = isRecord(auth)
    ? `${String(auth['username'] ?? '')}:${String(auth['password'] ?? '')}`
    : userinfo
  const { data, ...body } = bodyOf(request, operation, unreadable)
  return {
    url: address,
    method,
    headers: withCookies(credentials === undefined ? headers : { ...headers, ...basic(credentials) }),
    params,
    data,
    ...body,
    ...(credentials !== undefined && { hasAuth: true }),
    ...(unreadable.length > 0 && { unreadable }),
  }
}

/** The expected request in the same form: what is done to a request is done to the expectation. */
export function expectedRequest(
  { url, method, headers, params, data }: RequestConfig,
  operationAt: OperationAt,
  form: boolean,
): SoundRequest {
  const operation = operationAt(url, method)
  const fields = (value: JsonValue | undefined) => (isRecord(value) ? value : {})
  const media = mediaOf(fields(headers))
  const body = fields(data)
  return {
    url,
    method,
    headers: withCookies(fields(headers)),
    params: namedValues(pairsOf(fields(params)), fieldsIn(operation, 'query')),
    data: form ? namedValues(pairsOf(body), bodyFields(operation, media && familyOf(media))) : body,
    ...(media !== undefined && Object.keys(body).length > 0 && { family: familyOf(media) }),
  }
}

const fieldsIn = (operation: SpecifiedOperation | undefined, place: string): readonly WrittenField[] =>
  operation?.parameters.filter((one) => one.in === place) ?? []

/** The forms of an operation's body that a body of this kind may have; all where it has none of the kind. */
export function bodyForms(operation: SpecifiedOperation | undefined, family?: string): BodyForm[] {
  if (!operation?.body) return []
  const forms = [operation.body, ...(operation.body.others ?? [])]
  const same = forms.filter(({ media }) => family === undefined || isOfMedia(family, media))
  return same.length > 0 ? same : forms
}
const bodyFields = (operation: SpecifiedOperation | undefined, family?: string) =>
  bodyForms(operation, family).flatMap(({ properties }) => properties)

/** Names the cookies of a request as arguments of their own. */
export const cookieArgument = (name: string) => `Cookie:${name}`
export const cookieIn = (argument: string) =>
  argument.startsWith('Cookie:') ? argument.slice('Cookie:'.length) : undefined

function withCookies(headers: Record<string, JsonValue>): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): (readonly [string, JsonValue])[] => {
      if (name.toLowerCase() !== 'cookie') return [[name, value]]
      const cookies = String(value)
        .split(';')
        .flatMap((one) => {
          const [cookie, text] = split(one.trim(), '=')
          return cookie === '' ? [] : [[cookieArgument(cookie), text ?? ''] as const]
        })
      return cookies
    }),
  )
}

/** The URL without user and password, and these as `user:password`. */
function withoutUserinfo(url: string): [url: string, userinfo?: string] {
  const [, scheme, userinfo] = /^(https?:\/\/)([^/?#@]*)@/i.exec(url) ?? []
  if (scheme === undefined || userinfo === undefined) return [url]
  const [user, password = ''] = split(userinfo, ':')
  return [scheme + url.slice(scheme.length + userinfo.length + 1), `${decoded(user)}:${decoded(password)}`]
}
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The URL's pairs without those that params say once more: both are sent, and only other values make a
 * difference.
 */
function withoutRepeated(
  ofUrl: readonly Pair[],
  ofParams: readonly Pair[],
  fields: readonly WrittenField[],
): Pair[] {
  const inParams = namedValues(ofParams, fields)
  const asList = (value: JsonValue) => (Array.isArray(value) ? value : [value])
  const partsIn = nameReader(fields)
  const byName = Map.groupBy(ofUrl, ([name]) => partsIn(name)[0])
  const repeated = (name: string, pairs: readonly Pair[]) =>
    Object.hasOwn(inParams, name) &&
    writtenEqual(asList(namedValues(pairs, fields)[name] as JsonValue), asList(inParams[name] as JsonValue))
  return [...byName].flatMap(([name, pairs]) => (repeated(name, pairs) ? [] : pairs))
}
const pairsIn = (query: string): Pair[] => [...new URLSearchParams(query)]

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
/** Scans by hand: a pattern would look at long runs of slashes again and again. */
function withoutSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

/**
 * Params that are a text or URLSearchParams, or that the program writes itself, are told as they stand in the
 * address.
 */
function paramsOf({ params, serialized, uri = '', url = '' }: Captured, unreadable: UnreadableParts): Pair[] {
  if (params === undefined || params === null) return []
  if (isTooDeep(params)) {
    unreadable.push({ location: 'params', value: tooDeep })
    return []
  }
  if (isRecord(params) && Object.keys(params).length > 0 && !serialized) return pairsOf(params)
  // A value that axios cannot write into an address, it can't send.
  if (isRecord(params) || serialized || (typeof params === 'string' && uri !== '')) {
    const before = pairsIn(split(url.split('#')[0]!, '?')[1] ?? '').length
    return pairsIn(split(uri.split('#')[0]!, '?')[1] ?? '').slice(before)
  }
  unreadable.push({ location: 'params', value: params })
  return []
}
const tooDeep = 'values that are nested too deeply'

const mediaOf = (headers: Record<string, JsonValue>): string | undefined => {
  const media = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return typeof media === 'string' ? media : undefined
}

function bodyOf(
  { data, dataType, headers }: Captured,
  operation: SpecifiedOperation | undefined,
  unreadable: UnreadableParts,
): Pick<SoundRequest, 'data' | 'form' | 'family'> {
  if (data === undefined || data === null || data === '') return { data: {} }
  if (dataType === 'FormData' || dataType === 'form-data') {
    const parts = (Array.isArray(data) ? data : []).filter(Array.isArray) as [string, string, CapturedFile?][]
    const pairs = parts.map(([name, text, file]): Pair => [String(name), file ? { ...file } : text])
    return formOf(pairs, 'a multipart form')
  }
  const media = mediaOf(headers)
  const family = media === undefined ? {} : { family: familyOf(media) }
  if (isTooDeep(data)) return unread(tooDeep)
  if (isRecord(data)) return { data, ...family }
  if (typeof data !== 'string') return unread(data)
  const body = json(data)
  if (isTooDeep(body)) return unread(tooDeep)
  if (isRecord(body)) return { data: body, ...family }
  if (body === null) return { data: {} }
  if (body === undefined && (family.family === 'a form' || /^[^=&\s]+=/.test(data)))
    return formOf(pairsIn(data), family.family)
  return unread(body ?? data)

  function formOf(pairs: readonly Pair[], formFamily: string | undefined) {
    return {
      data: namedValues(pairs, bodyFields(operation, formFamily)),
      form: true,
      ...(formFamily !== undefined && { family: formFamily }),
    }
  }
  function unread(value: JsonValue) {
    unreadable.push({ location: 'data', value })
    return { data: {}, ...family }
  }
}

function json(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

const basic = (credentials: string): Record<string, JsonValue> => ({
  Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
})
