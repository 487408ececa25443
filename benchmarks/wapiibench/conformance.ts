/** Holds the requests that code makes against a specification: any code, without a task. */
import {
  formatAsText,
  type CheckedRequest,
  isRecord,
  type JsonValue,
  getOwnMember,
} from '@stateeval/contracts'
import type { PromptWriting, WritingOptions } from '@stateeval/program'
import { type CapturedCall, listCaptured } from './capture/captured.ts'
import { parseCookieArgument, type SoundRequest, buildSoundRequest } from './capture/sound.ts'
import { type SpecifiedApi, openApi, type EndpointTarget } from './creation/api.ts'
import { getDocumentedSchema, listValueFaults } from './creation/check.ts'
import { isNode, type DocumentNode } from '@stateeval/openapi'
import { isOfMedia } from './specification/media.ts'
import type { SpecifiedParameter, SpecifiedOperation } from './specification/types.ts'
import { parsePairText, parsePlaceText } from './specification/written.ts'

/** Headers of HTTP itself, which no specification describes. */
const general =
  /^(accept|accept-.*|authorization|cache-control|connection|content-.*|host|idempotency-key|if-.*|origin|pragma|prefer|range|referer|user-agent|x-requested-with|traceparent|tracestate)$/

export const conformance: NonNullable<PromptWriting['conformance']> = (text, { server }, observations) => {
  const api = openApi(text, { id: 'api', ...(server !== undefined && { server }) } as WritingOptions)
  const targets = new Map(api.targets.map((target) => [target.name, target]))
  return observations.map((observation) => ({
    requests: listCaptured(observation).map((request) => checkRequest(request, api, targets)),
  }))
}

function checkRequest(
  request: CapturedCall,
  api: SpecifiedApi,
  targets: ReadonlyMap<string, EndpointTarget>,
): CheckedRequest {
  const { endpoints } = api
  const actual = buildSoundRequest(request, (url, method) =>
    getOwnMember(endpoints.sound(url, method)?.endpoint.operations ?? {}, method),
  )
  const method = actual.method.toUpperCase()
  const match = endpoints.sound(actual.url, actual.method)
  if (!match)
    return {
      name: `${method} ${actual.url}`,
      faults: [`${actual.url} is not an endpoint of the specification`],
    }
  const { template, operations } = match.endpoint
  const name = `${method} ${template}`
  const operation = getOwnMember(operations, actual.method)
  const target = targets.get(name)
  if (!target) return { name, faults: [`${template} has no method ${method}`] }
  if (!operation) return { name, faults: [`the specification is broken there: ${target.detail ?? ''}`] }
  const parts: CheckedOperation = { operation, target, root: api.document.root }
  return {
    name,
    faults: [
      ...listPlaceFaults('path', match.values, parts),
      ...listPlaceFaults('query', actual.params, parts),
      ...listPlaceFaults('header', selectHeaders(actual), parts),
      ...listPlaceFaults('cookie', selectCookies(actual), parts),
      ...listUnreadableFaults(actual),
      ...listCapturedBodyFaults(request, actual, parts),
      ...listMissingSecurity(actual, parts),
    ],
  }
}

interface CheckedOperation {
  operation: SpecifiedOperation
  target: EndpointTarget
  root: DocumentNode
}
const selectHeaders = ({ headers }: SoundRequest) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => parseCookieArgument(name) === undefined))
const selectCookies = ({ headers }: SoundRequest) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const cookie = parseCookieArgument(name)
      return cookie === undefined ? [] : [[cookie, value]]
    }),
  )
const words: Readonly<Record<string, string>> = {
  path: 'the path parameter',
  query: 'the query parameter',
  header: 'the header',
  cookie: 'the cookie',
}

function listPlaceFaults(
  place: string,
  values: Record<string, JsonValue>,
  { target, operation, root }: CheckedOperation,
): string[] {
  const same = (a: unknown, b: string) =>
    place === 'header' ? formatAsText(a).toLowerCase() === b.toLowerCase() : a === b
  const parameters = target.parameters.filter((one) => one['in'] === place)
  const secrets = target.security.flat().filter((one) => one.in === place)
  const faults = Object.entries(values).flatMap(([name, value]) => {
    const at = `${words[place]} ${name}`
    const parameter = parameters.find((one) => same(one['name'], name))
    if (parameter) {
      const field = operation.parameters.findLast((one) => one.in === place && same(one.name, name))
      return listValueFaults(
        getDocumentedSchema(parameter),
        readValue(value, place, field),
        at,
        root,
        true,
      ).map(({ says }) => says)
    }
    const isFree =
      secrets.some((one) => same(one.name, name)) || (place === 'header' && general.test(name.toLowerCase()))
    return isFree || place === 'path' ? [] : [`${at} is unknown`]
  })
  const isMissing = ({ name, required }: DocumentNode) =>
    required === true &&
    !Object.keys(values).some((one) => same(name, one)) &&
    !(place === 'header' && general.test(formatAsText(name).toLowerCase()))
  return [
    ...faults,
    ...parameters.filter(isMissing).map(({ name }) => `${words[place]} ${formatAsText(name)} is missing`),
  ]
}

/** A value as the specification means it: one text may be a list. */
function readValue(value: JsonValue, place: string, field: SpecifiedParameter | undefined): JsonValue {
  if (!field) return value
  const read =
    typeof value !== 'string' || place === 'query'
      ? value
      : place === 'cookie'
        ? parsePairText(value, field)
        : parsePlaceText(value, field)
  return field.type?.startsWith('array') && !Array.isArray(read) ? [read] : read
}

const listUnreadableFaults = ({ unreadable = [] }: SoundRequest) =>
  unreadable.flatMap(({ location }) => (location === 'params' ? ['the query has no named parameters'] : []))

function listCapturedBodyFaults(
  request: CapturedCall,
  { data, form = false, family }: SoundRequest,
  { target, root }: CheckedOperation,
): string[] {
  const { body } = target
  const hasBody = request.data !== undefined && request.data !== null && request.data !== ''
  if (!hasBody) return body?.required ? ['the body is missing'] : []
  if (!body) return [`${target.name} takes no body`]
  const all = Object.keys(body.media)
  const media = all.find((one) => family === undefined || isOfMedia(family, one))
  if (media === undefined) return [`the body is ${family}; ${target.name} takes ${all.join(' or ')}`]
  const content = body.media[media]
  const value = form ? replaceFiles(data) : parseRawBody(request)
  const schema = isNode(content) ? (content['schema'] ?? true) : true
  return listValueFaults(schema, value, 'body', root, form).map(({ says }) => says)
}
function parseRawBody({ data = null }: CapturedCall): JsonValue {
  if (typeof data !== 'string') return data
  try {
    return JSON.parse(data) as JsonValue
  } catch {
    return data
  }
}
/** A schema describes a file as a text. */
const replaceFiles = (value: JsonValue): JsonValue =>
  Array.isArray(value)
    ? value.map(replaceFiles)
    : isRecord(value)
      ? typeof value['sha256'] === 'string' && typeof value['size'] === 'number'
        ? 'file'
        : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaceFiles(one)]))
      : value

function listMissingSecurity(actual: SoundRequest, { target: { security } }: CheckedOperation): string[] {
  const names: Readonly<Record<string, readonly string[]>> = {
    header: Object.keys(selectHeaders(actual)).map((name) => name.toLowerCase()),
    query: Object.keys(actual.params),
    cookie: Object.keys(selectCookies(actual)),
  }
  const isMet = security.some((all) =>
    all.every(({ in: place, name }) =>
      names[place]?.includes(place === 'header' ? name.toLowerCase() : name),
    ),
  )
  if (security.length === 0 || isMet) return []
  const ways = security.map((all) => all.map(({ in: place, name }) => `${name} (${place})`).join(' and '))
  return [`authentication is missing: ${[...new Set(ways)].join(', or ')}`]
}
