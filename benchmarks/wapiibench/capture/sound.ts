/**
 * A captured request as it would have reached the server: joined, split and decoded as URLs and forms are,
 * in the names and styles of the operation that it calls. Never throws.
 */
import { type CapturedFile, formatAsText, type JsonValue, isRecord } from '@stateeval/contracts'
import { isWrittenEqual } from '../judge/equality.ts'
import type { RequestConfig } from '../judge/types.ts'
import { getMediaFamily, isOfMedia } from '../specification/media.ts'
import type { BodyForm, RequestLocation, SpecifiedOperation } from '../specification/types.ts'
import type { WrittenField } from '../specification/written.ts'
import type { CapturedCall } from './captured.ts'
import { isTooDeep } from './depth.ts'
import { readNamedValues, createNameReader, type NamePair, listPairs } from './named-values.ts'

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
  /** Values that cannot be read as named arguments, and their locations. */
  unreadable?: { location: RequestLocation; value: JsonValue }[]
}
type UnreadableParts = NonNullable<SoundRequest['unreadable']>

export function buildSoundRequest(request: CapturedCall, operationAt: OperationAt): SoundRequest {
  const { method, url = '', baseURL, headers, auth } = request
  const [whole, userinfo] = removeUserinfo(joinUrl(url, baseURL))
  const [address, query = ''] = split(whole.split('#')[0]!, '?')
  const operation = operationAt(address, method)
  const unreadable: UnreadableParts = []
  const pairs = readParams(request, unreadable)
  const fields = listFields(operation, 'query')
  const params = readNamedValues([...pairs, ...removeRepeatedPairs(parsePairs(query), pairs, fields)], fields)
  const credentials = isRecord(auth)
    ? `${formatAsText(auth['username'] ?? '')}:${formatAsText(auth['password'] ?? '')}`
    : userinfo
  const { data, ...body } = readCapturedBody(request, operation, unreadable)
  return {
    url: address,
    method,
    headers: withCookies(
      credentials === undefined ? headers : { ...headers, ...createBasicHeader(credentials) },
    ),
    params,
    data,
    ...body,
    ...(credentials !== undefined && { hasAuth: true }),
    ...(unreadable.length > 0 && { unreadable }),
  }
}

/** The expected request in the same form: what is done to a request is done to the expectation. */
export function buildExpectedRequest(
  { url, method, headers, params, data }: RequestConfig,
  operationAt: OperationAt,
  form: boolean,
): SoundRequest {
  const operation = operationAt(url, method)
  const fields = (value: JsonValue | undefined) => (isRecord(value) ? value : {})
  const media = getMediaType(fields(headers))
  const body = fields(data)
  return {
    url,
    method,
    headers: withCookies(fields(headers)),
    params: readNamedValues(listPairs(fields(params)), listFields(operation, 'query')),
    data: form
      ? readNamedValues(listPairs(body), listBodyFields(operation, media && getMediaFamily(media)))
      : body,
    ...(media !== undefined && Object.keys(body).length > 0 && { family: getMediaFamily(media) }),
  }
}

const listFields = (operation: SpecifiedOperation | undefined, place: string): readonly WrittenField[] =>
  operation?.parameters.filter((one) => one.in === place) ?? []

/** The forms of an operation's body that a body of this kind may have; all where it has none of the kind. */
export function listBodyForms(operation: SpecifiedOperation | undefined, family?: string): BodyForm[] {
  if (!operation?.body) return []
  const forms = [operation.body, ...(operation.body.others ?? [])]
  const same = forms.filter(({ media }) => family === undefined || isOfMedia(family, media))
  return same.length > 0 ? same : forms
}
const listBodyFields = (operation: SpecifiedOperation | undefined, family?: string) =>
  listBodyForms(operation, family).flatMap(({ properties }) => properties)

/** Names the cookies of a request as separate arguments. */
const formatCookieArgument = (name: string) => `Cookie:${name}`
export const parseCookieArgument = (argument: string) =>
  argument.startsWith('Cookie:') ? argument.slice('Cookie:'.length) : undefined

function withCookies(headers: Record<string, JsonValue>): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): (readonly [string, JsonValue])[] => {
      if (name.toLowerCase() !== 'cookie') return [[name, value]]
      const cookies = formatAsText(value)
        .split(';')
        .flatMap((one) => {
          const [cookie, text] = split(one.trim(), '=')
          return cookie === '' ? [] : [[formatCookieArgument(cookie), text ?? ''] as const]
        })
      return cookies
    }),
  )
}

/** The URL without user and password, and these as `user:password`. */
function removeUserinfo(url: string): [url: string, userinfo?: string] {
  const [, scheme, userinfo] = /^(https?:\/\/)([^/?#@]*)@/i.exec(url) ?? []
  if (scheme === undefined || userinfo === undefined) return [url]
  const [user, password = ''] = split(userinfo, ':')
  return [
    scheme + url.slice(scheme.length + userinfo.length + 1),
    `${decodePart(user)}:${decodePart(password)}`,
  ]
}
function decodePart(text: string): string {
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
function removeRepeatedPairs(
  ofUrl: readonly NamePair[],
  ofParams: readonly NamePair[],
  fields: readonly WrittenField[],
): NamePair[] {
  const inParams = readNamedValues(ofParams, fields)
  const asList = (value: JsonValue) => (Array.isArray(value) ? value : [value])
  const partsIn = createNameReader(fields)
  const byName = Map.groupBy(ofUrl, ([name]) => partsIn(name)[0])
  const repeated = (name: string, pairs: readonly NamePair[]) =>
    Object.hasOwn(inParams, name) &&
    isWrittenEqual(
      asList(readNamedValues(pairs, fields)[name] as JsonValue),
      asList(inParams[name] as JsonValue),
    )
  return [...byName].flatMap(([name, pairs]) => (repeated(name, pairs) ? [] : pairs))
}
const parsePairs = (query: string): NamePair[] => [...new URLSearchParams(query)]

const split = (text: string, at: string): [string, string?] => {
  const place = text.indexOf(at)
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + 1)]
}
const joinUrl = (url: string, base: string | undefined) =>
  base === undefined || /^([a-z][a-z\d+\-.]*:)?\/\//i.test(url)
    ? url
    : url === ''
      ? base
      : `${stripSlashes(base)}/${url.replace(/^\/+/, '')}`
/** Scans by hand: a pattern would look at long runs of slashes again and again. */
function stripSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

/**
 * Params that are a text or URLSearchParams, or that the program writes itself, are reported as in the
 * address.
 */
function readParams(
  { params, serialized, uri = '', url = '' }: CapturedCall,
  unreadable: UnreadableParts,
): NamePair[] {
  if (params === undefined || params === null) return []
  if (isTooDeep(params)) {
    unreadable.push({ location: 'params', value: tooDeep })
    return []
  }
  if (isRecord(params) && Object.keys(params).length > 0 && !serialized) return listPairs(params)
  // axios cannot send a value that it cannot write into an address.
  if (isRecord(params) || serialized || (typeof params === 'string' && uri !== '')) {
    const before = parsePairs(split(url.split('#')[0]!, '?')[1] ?? '').length
    return parsePairs(split(uri.split('#')[0]!, '?')[1] ?? '').slice(before)
  }
  unreadable.push({ location: 'params', value: params })
  return []
}
const tooDeep = 'values that are nested too deeply'

const getMediaType = (headers: Record<string, JsonValue>): string | undefined => {
  const media = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return typeof media === 'string' ? media : undefined
}

function readCapturedBody(
  { data, dataType, headers }: CapturedCall,
  operation: SpecifiedOperation | undefined,
  unreadable: UnreadableParts,
): Pick<SoundRequest, 'data' | 'form' | 'family'> {
  if (data === undefined || data === null || data === '') return { data: {} }
  if (dataType === 'FormData' || dataType === 'form-data') {
    const parts = (Array.isArray(data) ? data : []).filter(Array.isArray) as [
      JsonValue,
      JsonValue,
      CapturedFile?,
    ][]
    const pairs = parts.map(([name = '', text = '', file]): NamePair => [
      formatAsText(name),
      file ? { ...file } : text,
    ])
    return formOf(pairs, 'a multipart form')
  }
  const media = getMediaType(headers)
  const family = media === undefined ? {} : { family: getMediaFamily(media) }
  if (isTooDeep(data)) return unread(tooDeep)
  if (isRecord(data)) return { data, ...family }
  if (typeof data !== 'string') return unread(data)
  const body = parseJsonOrNothing(data)
  if (isTooDeep(body)) return unread(tooDeep)
  if (isRecord(body)) return { data: body, ...family }
  if (body === null) return { data: {} }
  if (body === undefined && (family.family === 'a form' || /^[^=&\s]+=/.test(data)))
    return formOf(parsePairs(data), family.family)
  return unread(body ?? data)

  function formOf(pairs: readonly NamePair[], formFamily: string | undefined) {
    return {
      data: readNamedValues(pairs, listBodyFields(operation, formFamily)),
      form: true,
      ...(formFamily !== undefined && { family: formFamily }),
    }
  }
  function unread(value: JsonValue) {
    unreadable.push({ location: 'data', value })
    return { data: {}, ...family }
  }
}

function parseJsonOrNothing(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

const createBasicHeader = (credentials: string): Record<string, JsonValue> => ({
  Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
})
