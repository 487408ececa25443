/** HTTP requests as calls of a model: the inverse of `buildRequest`. */
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { WorldField, WorldModel, WorldOperation } from '../model.ts'
import { getPathValue } from '../pointer.ts'
import type { ModelCall } from '../predict/predict.ts'
import type { LiveRequest } from '../request.ts'
import { parseFormFields } from './form.ts'

interface ModelRoute {
  id: string
  operation: WorldOperation
  method: string
  /** By segment of the path, the texts around its arguments: one where it has none. */
  segments: readonly (readonly string[])[]
  names: readonly string[]
}
/** A call, or the status with which the request is refused. */
type RoutedCall = { ok: true; call: ModelCall } | { ok: false; status: 400 | 404 | 405 }

/** Finds the calls of requests. Of several paths that match, the one with the fewest arguments is meant. */
export function createRouter(model: WorldModel): (request: LiveRequest) => RoutedCall {
  const routes = Object.entries(model.operations)
    .flatMap(([id, operation]): ModelRoute[] => {
      const { request } = operation
      if (request.kind !== 'http') return []
      const path = (model.base ?? '') + request.path
      const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!)
      const segments = splitPath(path).map((segment) => segment.split(/\{[^{}]+\}/))
      return [{ id, operation, method: request.method, segments, names }]
    })
    .sort((a, b) => a.names.length - b.names.length)
  return (request) => {
    const segments = splitPath(request.path)
    const matching = routes.flatMap((route) => {
      const values = matchPath(route, segments)
      return values ? [{ route, values }] : []
    })
    const found = matching.find(({ route }) => route.method === request.method)
    if (!found) return { ok: false, status: matching.length > 0 ? 405 : 404 }
    const args = readArguments(model, found.route, { ...request, values: found.values })
    return args === null
      ? { ok: false, status: 400 }
      : { ok: true, call: { operation: found.route.id, args } }
  }
}

const splitPath = (path: string) => path.split('/').slice(1)

/** The texts of the arguments in a path; null where it is another one. */
function matchPath({ segments }: ModelRoute, given: readonly string[]): string[] | null {
  if (segments.length !== given.length) return null
  const values = segments.map((texts, at) => matchSegment(texts, given[at]!))
  return values.every((one) => one !== null) ? values.flat() : null
}

/** An argument is not empty; where several stand in a segment, each ends at the first text behind it. */
function matchSegment([first = '', ...texts]: readonly string[], given: string): string[] | null {
  if (texts.length === 0) return first === given ? [] : null
  if (!given.startsWith(first)) return null
  const values: string[] = []
  let from = first.length
  for (const [at, text] of texts.entries()) {
    const isLast = at === texts.length - 1
    const to = isLast ? given.length - text.length : given.indexOf(text, from + 1)
    if (to <= from || (isLast && !given.endsWith(text))) return null
    values.push(given.slice(from, to))
    from = to + text.length
  }
  return values
}

function readArguments(
  model: WorldModel,
  { operation, names }: ModelRoute,
  { values, query = {}, body }: LiveRequest & { values: readonly string[] },
): JsonObject | null {
  const { fields } = model.types[operation.type]!
  const args: JsonObject = {}
  for (const [at, name] of names.entries()) {
    const text = decode(values[at]!)
    if (text === null) return null
    args[name] = readAs(model, fields[name], text)
  }
  if (operation.request.kind !== 'http') return args
  for (const name of operation.request.query ?? [])
    if (Object.hasOwn(query, name))
      args[name] = readAs(model, fields[operation.filters?.[name] ?? name], query[name]!)
  const { body: form } = operation.request
  if (!form || body === undefined) return args
  const sent =
    body.media === 'form' ? readForm(model, fields, parseFormFields(body.text)) : parseJson(body.text)
  if (sent === undefined) return null
  const content = form.at ? getPathValue(isRecord(sent) ? sent : {}, form.at) : sent
  return content === undefined ? args : { ...args, [form.argument]: content }
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/** A text as a value of the type of the field, or of the identities that it refers to, if it reads as one. */
function readAs({ types }: WorldModel, named: WorldField | undefined, text: string): JsonValue {
  const referred = named?.refers === undefined ? undefined : types[named.refers]
  const field = referred?.fields[referred.identity.field] ?? named
  if (field?.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  const number = Number(text)
  const isNumber = field?.type === 'integer' || field?.type === 'number'
  return isNumber && String(number) === text ? number : text
}

/** Items of a list have the type that its field names. */
function readSent(model: WorldModel, field: WorldField | undefined, value: JsonValue): JsonValue {
  if (typeof value === 'string') return readAs(model, field, value)
  return Array.isArray(value) && field?.items !== undefined
    ? value.map((item) => readSent(model, { type: field.items! }, item))
    : value
}

const readForm = (
  model: WorldModel,
  fields: Readonly<Record<string, WorldField>>,
  sent: JsonObject,
): JsonObject =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, readSent(model, fields[name], value)]),
  )
