/** Captured requests come from a jail, so they are checked. */
import type { CapturedRequest, JsonValue } from '@stateeval/contracts'
import { isRecord } from '@stateeval/contracts/is-record'
import { findUnsafeJson } from './protocol.ts'

/** The answer to captured requests: immediate and without headers, like axios-mock-adapter's. */
export interface CaptureReply {
  status: number
  /** undefined: an answer without a body. */
  data?: JsonValue
}

const texts = ['url', 'baseURL', 'uri', 'dataType'] as const
const longestType = 50

/** The requests that a jail reports; undefined if they are malformed. */
export function checkRequests(value: unknown): CapturedRequest[] | undefined {
  if (value === undefined) return []
  if (!Array.isArray(value) || findUnsafeJson(value as JsonValue) !== undefined) return undefined
  const requests = (value as JsonValue[]).map(checkRequest)
  return requests.every((request) => request !== undefined) ? requests : undefined
}

function checkRequest(value: JsonValue): CapturedRequest | undefined {
  if (!isRecord(value)) return undefined
  const { method, headers, params, serialized, data, auth } = value
  if (typeof method !== 'string' || !isRecord(headers)) return undefined
  if (serialized !== undefined && serialized !== true) return undefined
  if (texts.some((name) => value[name] !== undefined && typeof value[name] !== 'string')) return undefined
  const { url, baseURL, uri, dataType } = value as Partial<Record<(typeof texts)[number], string>>
  return removeUndefined<CapturedRequest>({
    method: method.slice(0, longestType),
    url,
    baseURL,
    uri,
    headers,
    params,
    serialized,
    data,
    dataType: dataType?.slice(0, longestType),
    auth,
  })
}

const removeUndefined = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as T
