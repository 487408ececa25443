/** The calls that a candidate made, read out of the log of its world. */
import {
  canonicalJson,
  findInfiniteNumber,
  type JsonValue,
  type LoggedRequest,
  type Observation,
  findDeepMember,
} from '@stateeval/contracts'
import { decodeSegment, type DocumentedEndpoint, matchEndpoint } from './requests.ts'
import type { ExpectedCall } from './situation.ts'

export interface ObservedCall {
  /** null where no documented endpoint fits. */
  api: string | null
  args: Record<string, JsonValue>
  /** Names in the query that the endpoint doesn't have. */
  unknown: string[]
  /** Arguments whose values are not known, where calls were read in the program's text. */
  unread?: readonly string[]
  status: number
  /** The answer's JSON; undefined where there is none, or where it was cut. */
  answer?: JsonValue
  changes: boolean
  /** The request as sent, without the address. */
  request: string
}

const parseOptionalJson = (text: string | undefined): JsonValue | undefined => {
  if (text === undefined || text === '') return undefined
  try {
    const value = JSON.parse(text) as JsonValue
    return findDeepMember(value) === null && findInfiniteNumber(value) === null ? value : undefined
  } catch {
    return undefined
  }
}

/** Calls with ids as tokens, the same ones as in the expected calls where they are the same items. */
export function readObservedCalls(
  { log, world }: Pick<Observation, 'log' | 'world'>,
  endpoints: readonly DocumentedEndpoint[],
  expected: readonly ExpectedCall[],
): ObservedCall[] {
  const changing = new Map(expected.map(({ api, changes }) => [api, changes]))
  const tokens = new Map<string, string>(
    (world?.ids.initial ?? []).map((id, n) => [id, `<initial ${n + 1}>`]),
  )
  const createdIds = new Set(world?.ids.created)
  const takenTokens = new Set<string>()
  return log.map((request) => {
    const call = readCall(request, endpoints)
    const args = nameIds(call.args, tokens) as Record<string, JsonValue>
    const freshId = listIds(call.answer, createdIds).find((id) => !tokens.has(id))
    if (freshId !== undefined)
      tokens.set(freshId, findToken({ ...call, args }, expected, takenTokens) ?? `<other ${tokens.size + 1}>`)
    const answer = call.answer === undefined ? {} : { answer: nameIds(call.answer, tokens) }
    const changes =
      call.api === null
        ? request.method !== 'GET'
        : (changing.get(call.api) ?? /^(?:POST|PUT|DELETE|PATCH)$/.test(request.method))
    return { ...call, args, ...answer, changes, request: formatRequestText(request, tokens) }
  })
}

function readCall(
  request: LoggedRequest,
  endpoints: readonly DocumentedEndpoint[],
): Omit<ObservedCall, 'changes' | 'request'> {
  const answer = parseOptionalJson(request.responseBody)
  const rest = { status: request.status, ...(answer === undefined ? {} : { answer }) }
  // A tool or function, logged by its name with its arguments.
  if (request.method === 'CALL')
    return {
      api: request.path,
      args: (parseOptionalJson(request.requestBody) ?? {}) as Record<string, JsonValue>,
      unknown: [],
      ...rest,
    }
  const match = matchEndpoint(request, endpoints)
  if (!match) return { api: null, args: {}, unknown: [], ...rest }
  const { endpoint, segments } = match
  const query = [...(request.path.split('?')[1] ?? '').split('&')].flatMap((pair) => {
    const [name = '', ...value] = pair.split('=')
    return name === '' ? [] : [[decodeSegment(name), decodeSegment(value.join('='))] as const]
  })
  const args: Record<string, JsonValue> = { ...segments }
  for (const [name, value] of query) if (endpoint.query.includes(name)) args[name] = value
  const body =
    parseOptionalJson(request.requestBody) ??
    (request.requestBody === undefined ? undefined : request.requestBody)
  if (endpoint.body !== undefined && body !== undefined && request.method !== 'GET')
    args[endpoint.body] = body
  return {
    api: endpoint.api,
    args,
    unknown: query.map(([name]) => name).filter((name) => !endpoint.query.includes(name)),
    ...rest,
  }
}

/** Strings that are ids of a set, anywhere in a value. */
function listIds(value: JsonValue | undefined, ids: ReadonlySet<string>): string[] {
  if (typeof value === 'string') return ids.has(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap((item) => listIds(item, ids))
  return value !== null && typeof value === 'object'
    ? Object.values(value).flatMap((item) => listIds(item, ids))
    : []
}

/**
 * Which of the expected ids a new one is: that of a call with the same arguments, else of the next call of
 * that API.
 */
function findToken(
  { api, args }: Pick<ObservedCall, 'api' | 'args'>,
  expected: readonly ExpectedCall[],
  takenTokens: Set<string>,
): string | undefined {
  const issuers = expected.flatMap((call) => {
    const token = /<created \d+>/.exec(JSON.stringify(call.output ?? null))?.[0]
    return call.api === api && token !== undefined && !takenTokens.has(token) ? [{ token, call }] : []
  })
  const issuer = issuers.find(({ call }) => canonicalJson(call.args) === canonicalJson(args)) ?? issuers[0]
  if (issuer) takenTokens.add(issuer.token)
  return issuer?.token
}

function nameIds(value: JsonValue, tokens: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string')
    return tokens.get(value) ?? (value.length > 8 ? replaceInside(value, tokens) : value)
  if (Array.isArray(value)) return value.map((item) => nameIds(item, tokens))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [tokens.get(key) ?? key, nameIds(item, tokens)]),
  )
}

/** Ids inside a longer text, such as a whole session where its id belongs. */
function replaceInside(text: string, tokens: ReadonlyMap<string, string>): string {
  let steady = text.slice(0, 10_000)
  for (const [id, token] of tokens) if (id.length >= 8) steady = steady.replaceAll(id, token)
  return steady
}

const formatRequestText = ({ method, path }: LoggedRequest, tokens: ReadonlyMap<string, string>) =>
  `${method} ${replaceInside(decodeSegment(path.slice(0, 2000)), tokens).slice(0, 200)}`
