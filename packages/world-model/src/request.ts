/** Calls of a model as HTTP requests, and what an API answers. */
import { isRecord, type JsonValue } from '@stateeval/contracts'
import type { WorldModel } from './model.ts'
import { setPathValue } from './pointer.ts'
import type { ModelCall } from './predict/predict.ts'

export interface LiveRequest {
  method: string
  path: string
  query?: Readonly<Record<string, string>>
  body?: { text: string; media: 'json' | 'form' }
}
export interface LiveAnswer {
  status: number
  /** The JSON value; undefined where the body is empty, or something else. */
  body: JsonValue | undefined
  text: string
  headers: Readonly<Record<string, string>>
}
/** Sends one request to a live API. Rejects where no answer comes. */
export type LiveCaller = (request: LiveRequest) => Promise<LiveAnswer>

export const isSuccess = ({ status }: Pick<LiveAnswer, 'status'>) => status >= 200 && status < 300

/** The request of a call whose arguments are actual values. */
export function buildRequest(model: WorldModel, { operation, args }: ModelCall): LiveRequest {
  const { request } = model.operations[operation]!
  if (request.kind !== 'http') throw new Error(`${operation} is no HTTP operation`)
  const path = request.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(args[name] ?? '')),
  )
  const query = (request.query ?? []).flatMap((name): [string, string][] =>
    args[name] === undefined ? [] : [[name, String(args[name])]],
  )
  const content = request.body && args[request.body.argument]
  const at = request.body?.at ?? []
  const body = content === undefined ? undefined : at.length === 0 ? content : setPathValue({}, at, content)
  return {
    method: request.method,
    path: (model.base ?? '') + path,
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(body !== undefined && { body: formatBody(body, request.body!.media) }),
  }
}

const formatBody = (body: JsonValue, media: 'json' | 'form') => ({
  media,
  text: media === 'json' ? JSON.stringify(body) : new URLSearchParams(listFormFields(body)).toString(),
})

/** Fields of a form as most servers of nested forms read them: `items[0][price]`. */
function listFormFields(value: JsonValue, name = ''): [string, string][] {
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, n) => listFormFields(item, `${name}[${n}]`))
  if (isRecord(value))
    return Object.entries(value).flatMap(([key, member]) =>
      listFormFields(member, name === '' ? key : `${name}[${key}]`),
    )
  return [[name, String(value)]]
}
