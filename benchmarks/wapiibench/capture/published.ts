/**
 * Records a request as the published evaluator's mock does: the request, from what was captured. Throws where
 * the mock does.
 */
import { formatAsText, type JsonValue, isRecord } from '@stateeval/contracts'
import type { RequestConfig } from '../judge/types.ts'
import type { CapturedCall } from './captured.ts'
import { deepest, isTooDeep } from './depth.ts'

/** The mock fails on this request, so the program ends with an error. */
class MockError extends Error {}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new MockError(`${JSON.stringify(text.slice(0, 100))} is not a valid percent-encoding`)
  }
}
const splitAtFirst = (text: string, separator: string): [string, string | undefined] => {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

export function buildPublishedConfig({
  method,
  url,
  headers,
  params,
  data,
  dataType,
}: CapturedCall): RequestConfig {
  const [address, query] = splitAtFirst(decode(url ?? 'undefined'), '?')
  const allParams = query === undefined ? params : withQuery(params, query)
  const body = data === undefined ? undefined : readPublishedBody(data, dataType)
  if (isTooDeep(allParams) || isTooDeep(body)) throw new MockError(tooDeep)
  return {
    url: address,
    method,
    headers,
    ...(allParams !== undefined && { params: allParams }),
    ...(body !== undefined && { data: body }),
  }
}
const tooDeep = 'it is nested too deeply to be recorded'

/** The URL's pairs are written into params, over what stands there. */
function withQuery(params: JsonValue | undefined, query: string): JsonValue {
  if (params === null) throw new MockError('the URL has a query, and params is null')
  // A property that is set on a text is lost, and one of a list is not told.
  if (params !== undefined && !isRecord(params)) return params
  const fields: FormFields = { ...params }
  for (const pair of query.split('&')) {
    const [key, value] = splitAtFirst(pair, '=')
    set(fields, key, value ?? true)
  }
  return fields
}

function readPublishedBody(data: JsonValue, dataType: string | undefined): JsonValue {
  if (dataType === 'FormData') throw new MockError('the mock cannot read a native FormData')
  if (dataType === 'form-data') {
    const fields: FormFields = {}
    for (const [name, value] of data as [string, JsonValue][]) set(fields, name, formatAsText(value))
    return fields
  }
  if (!data || data === 'null') return {}
  if (typeof data !== 'string') return data
  if (!data.startsWith('{')) return parseForm(data)
  try {
    return JSON.parse(data) as JsonValue
  } catch {
    throw new MockError('the body begins like JSON but is not valid JSON')
  }
}

/** Decoded before it is split, so an encoded & in a value splits it. */
function parseForm(text: string): JsonValue {
  const fields: FormFields = {}
  const room = { left: maxGaps }
  for (const pair of decode(text.replaceAll('+', ' ')).split('&')) {
    const at = pair.indexOf('=')
    const [key, value] = at < 0 ? [pair.slice(0, -1), pair] : [pair.slice(0, at), pair.slice(at + 1)]
    if (key.endsWith('[]')) appendValue(fields, key.slice(0, -2), value)
    else if (key.endsWith(']')) setNested(fields, key, value, room)
    else set(fields, key, value)
  }
  return fields
}

type FormFields = Record<string, JsonValue>
/** Places that lists leave empty, in all of a form: one far out would make a list of as many members. */
const maxGaps = 100_000

/**
 * Reads a member. The mock reads inherited members as well: its JSON lacks what it writes into one of those,
 * such as `__proto__[x]` or `constructor[prototype][x]`. Here nothing may be written there at all.
 */
function readInside(fields: object, key: string): { member: JsonValue | undefined } | 'inherited' {
  if (Object.hasOwn(fields, key)) return { member: (fields as FormFields)[key] }
  return key in fields ? 'inherited' : { member: undefined }
}

/** A list has push; texts, objects and what is inherited have none, and the mock fails. */
function appendValue(fields: FormFields, key: string, value: string): void {
  const before = readInside(fields, key)
  if (before !== 'inherited' && Array.isArray(before.member)) before.member.push(value)
  else if (before !== 'inherited' && !before.member) set(fields, key, [value])
  else throw new MockError(`${key}[] is given, but ${key} is not a list`)
}

/** A part that begins with digits makes its container a list. What is written into a text is lost. */
function setNested(fields: FormFields, key: string, value: string, room: ListRoom): void {
  const parts = key.match(/[^[\]]+/g) ?? ['undefined']
  if (parts.length > deepest) throw new MockError(tooDeep)
  let into: FormFields | JsonValue[] = fields
  for (const [n, part] of parts.slice(0, -1).entries()) {
    const here = readInside(into, part)
    if (here === 'inherited') return
    let { member } = here
    if (!member) {
      member = Number.isNaN(parseInt(parts[n + 1]!, 10)) ? {} : []
      if (!set(into, part, member, room)) return
    }
    if (typeof member !== 'object') return
    into = member
  }
  set(into, parts.at(-1)!, value, room)
}
interface ListRoom {
  left: number
}

/**
 * Sets a member as an assignment does, but without the setter of __proto__, which takes no texts. False where
 * JSON would lack the member.
 */
function set(fields: FormFields | JsonValue[], key: string, value: JsonValue, room?: ListRoom): boolean {
  if (Array.isArray(fields)) return setMember(fields, key, value, room ?? { left: 0 })
  if (key === '__proto__') return false
  fields[key] = value
  return true
}
function setMember(list: JsonValue[], key: string, value: JsonValue, room: ListRoom): boolean {
  const length = key === 'length' ? Number(value) : 0
  if (length !== length >>> 0) throw new MockError(`${String(value)} is not a valid list length`)
  if (key !== 'length' && !/^(0|[1-9]\d{0,9})$/.test(key)) return false
  const gaps = Math.max(0, (key === 'length' ? length : Number(key)) - list.length)
  if (gaps > room.left) return false
  room.left -= gaps
  for (let n = 0; n < gaps; n++) list.push(null)
  if (key === 'length') list.length = length
  else list[Number(key)] = value
  return true
}
