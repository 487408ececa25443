/** What a captured request is: axios’s configuration of it, after axios’s own transformations. It comes out of a jail, so it is checked. */
import type { Json } from '@stateeval/contracts'
import { isRecord, unsafeJson } from './protocol.ts'

/** How captured requests are answered: like axios-mock-adapter, at once and without headers. */
export interface CaptureReply {
  status: number
  /** undefined: an answer without a body. */
  data?: Json
}

/** What is undefined is missing, everything else is what JSON makes of it, as in a recording of the configuration. */
export interface CapturedRequest {
  method: string
  /** As the program gave it: not joined with baseURL, not decoded. */
  url?: string
  baseURL?: string
  /** Where the request would have gone: with baseURL and params, as axios writes them. Missing where axios can’t tell. */
  uri?: string
  headers: Record<string, Json>
  params?: Json
  /** The body after transformRequest: mostly a text. Of a form, its [name, value] pairs. */
  data?: Json
  /** Of which kind the body was: string, object, FormData, form-data (the package that axios makes forms with), ArrayBuffer … */
  dataType?: string
  auth?: Json
}

const texts = ['url', 'baseURL', 'uri', 'dataType'] as const
const longestType = 50

/** The requests that a jail tells of, or undefined where that isn’t what they are. */
export function checkRequests(value: unknown): CapturedRequest[] | undefined {
  if (value === undefined) return []
  if (!Array.isArray(value) || unsafeJson(value as Json) !== undefined) return undefined
  const checked = value.map(checkRequest)
  return checked.every((request) => request !== undefined) ? checked : undefined
}

function checkRequest(value: unknown): CapturedRequest | undefined {
  if (!isRecord(value)) return undefined
  const { method, url, baseURL, uri, headers, params, data, dataType, auth } = value
  if (typeof method !== 'string' || !isRecord(headers)) return undefined
  if (texts.some((name) => value[name] !== undefined && typeof value[name] !== 'string')) return undefined
  return Object.fromEntries(
    Object.entries({
      method: method.slice(0, longestType),
      url,
      baseURL,
      uri,
      headers,
      params,
      data,
      dataType: (dataType as string | undefined)?.slice(0, longestType),
      auth,
    }).filter(([, member]) => member !== undefined),
  ) as unknown as CapturedRequest
}
