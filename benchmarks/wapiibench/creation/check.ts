/**
 * Mechanical checks of a task and its request configuration against the specification, for the endpoint that
 * it is for.
 */
import {
  formatAsText,
  type JsonValue,
  getOwnMember,
  findSchemaFault,
  canonicalJson,
  isRecord,
} from '@stateeval/contracts'
import { RequestConfiguration } from '../case.ts'
import { buildStarter, setups } from '../prompt/starter.ts'
import { read } from '../readings.ts'
import { writeAxiosAnswer } from '../player.ts'
import { isNode, type DocumentNode } from '@stateeval/openapi'
import { parsePlaceText } from '../specification/written.ts'
import { type SpecifiedApi, canBeObject, type SecurityScheme, type EndpointTarget } from './api.ts'
import { listSchemaFaults, type FaultKind as ValueKind } from './schema.ts'

type FaultKind =
  | ValueKind
  | 'malformed task'
  | 'malformed configuration'
  | 'unknown endpoint'
  | 'another endpoint'
  | 'missing authentication'
export type TaskFault = {
  kind: FaultKind
  /** The place, and what is wrong with it. */
  says: string
}
export type CheckedTask = {
  instruction: string
  config: RequestConfiguration
}

/** The header that axios sends by default, and that every configuration of the benchmark has (Listing 4). */
const accept = 'application/json, text/plain, */*'

type TaskFields = Record<string, JsonValue>

/** The task in the form of the benchmark, or all that is wrong with it. */
export function checkTask(
  task: unknown,
  config: unknown,
  target: EndpointTarget,
  api: SpecifiedApi,
): { task: CheckedTask } | { faults: TaskFault[] } {
  const faults: TaskFault[] = []
  if (typeof task !== 'string' || task.trim() === '')
    faults.push({ kind: 'malformed task', says: 'task must be a string' })
  else if (/[\r\n\u2028\u2029]/.test(task.trim()))
    faults.push({ kind: 'malformed task', says: 'task must be one line, because it becomes a line comment' })
  else if (!task.isWellFormed())
    faults.push({ kind: 'malformed task', says: 'task contains an incomplete character (a lone surrogate)' })
  else if (task.length > 10_000)
    faults.push({ kind: 'malformed task', says: 'task must have at most 10000 characters' })
  const place = findMalformed(config)
  if (place !== null) return { faults: [...faults, { kind: 'malformed configuration', says: place }] }
  const full = completeHeaders(config as RequestConfiguration, target, api)
  const astray = findEndpointFault(full, target, api)
  faults.push(
    ...(astray ? [astray] : [...listPathFaults(full, target, api), ...listArgumentFaults(full, target, api)]),
  )
  if (faults.length > 0) return { faults }
  const checkedTask = { instruction: (task as string).trim(), config: full }
  const cut = isCutShort(checkedTask)
  return cut ? { faults: [cut] } : { task: checkedTask }
}

/**
 * The published evaluator finds a call by the texts before and behind it; where a task or a value has these,
 * it takes another piece.
 */
function isCutShort({ instruction, config }: CheckedTask): TaskFault | null {
  const answer = writeAxiosAnswer(instruction, config)
  const whole = setups.every((setup) => {
    const { readings, programs } = read(answer, buildStarter(instruction, { config }, setup), 'chat')
    return programs.length === 1 && readings.every(({ run }) => run === 0)
  })
  if (whole) return null
  const says =
    'the task and the values must have none of the texts "axios.", ".then", ".catch", ".finally", ");" and "```": the call could not be found in an answer'
  return { kind: 'value not allowed', says }
}

function findMalformed(config: unknown): string | null {
  if (isRecord(config) && typeof config['url'] === 'string' && /[?#]/.test(config['url']))
    return 'config.url must have no query and no fragment: query arguments belong into config.params'
  const fault = findSchemaFault(RequestConfiguration, config)
  if (fault) return `config${fault.field.replaceAll('/', '.')} ${fault.says}`
  try {
    canonicalJson(config)
    return null
  } catch {
    return 'config contains an incomplete character (a lone surrogate)'
  }
}

/**
 * With the headers that follow from the rest, as every configuration of the benchmark has them; without empty
 * parts.
 */
function completeHeaders(
  { url, method, headers = {}, params, data }: RequestConfiguration,
  { body }: EndpointTarget,
  { document }: SpecifiedApi,
): RequestConfiguration {
  const has = (name: string) => Object.keys(headers).some((one) => one.toLowerCase() === name)
  const media = body && listBodyMedia(body, document)[0]
  const filled = {
    ...(!has('accept') && { Accept: accept }),
    ...(data && media !== undefined && !has('content-type') && { 'Content-Type': media }),
    ...headers,
  }
  return {
    url,
    method,
    headers: filled,
    ...(params && Object.keys(params).length > 0 && { params }),
    ...(data && { data }),
  }
}
/** Media types whose body may be an object of arguments, JSON first. */
function listBodyMedia(
  { media }: NonNullable<EndpointTarget['body']>,
  document: SpecifiedApi['document'],
): string[] {
  const able = Object.entries(media).flatMap(([name, content]) =>
    canBeObject(content, document) ? [name] : [],
  )
  return [...able.filter((name) => isJson(name)), ...able.filter((name) => !isJson(name))]
}
const isJson = (media: string) => /^application\/([\w.-]+\+)?json\b/.test(media)

function findEndpointFault(
  { url, method }: RequestConfiguration,
  target: EndpointTarget,
  { endpoints }: SpecifiedApi,
): TaskFault | null {
  const match = endpoints.sound(url, method)
  const server = target.server ?? endpoints.specification.server
  if (!match || !url.startsWith(server))
    return {
      kind: 'unknown endpoint',
      says: `config.url ${url} is not an endpoint of the specification, whose server is ${server}`,
    }
  if (getOwnMember(match.endpoint.operations, method) === undefined)
    return {
      kind: 'unknown endpoint',
      says: `config.method ${method} is not defined for ${match.endpoint.template}`,
    }
  const name = `${method.toUpperCase()} ${match.endpoint.template}`
  return name === target.name
    ? null
    : {
        kind: 'another endpoint',
        says: `config.url and config.method are those of ${name}, not of ${target.name}`,
      }
}

/**
 * Values in the path: written, and in characters that stand for themselves, so that there is one way to write
 * the URL.
 */
function listPathFaults(
  { url, method }: RequestConfiguration,
  { template, parameters }: EndpointTarget,
  { endpoints, document }: SpecifiedApi,
): TaskFault[] {
  const { endpoint, values, rest: raw } = endpoints.sound(url, method)!
  const declared = getOwnMember(endpoint.operations, method)?.parameters ?? []
  const faults: TaskFault[] = []
  if (!/^[A-Za-z0-9._~!$()*,;=:@+/<>-]*$/.test(raw))
    faults.push({
      kind: 'value not allowed',
      says: `config.url must have only characters in its path that need no encoding, not ${raw}; choose other values for its parameters`,
    })
  else if (raw.split('/').some((part) => part === '.' || part === '..'))
    faults.push({ kind: 'value not allowed', says: 'config.url must have no part . or ..' })
  for (const name of endpoint.names) {
    const value = getOwnMember(values, name) ?? ''
    const at = `${name} in the path ${template}`
    const parameter = parameters.find((one) => one['in'] === 'path' && one['name'] === name)
    if (/[{}]/.test(value))
      faults.push({ kind: 'missing argument', says: `config.url must have a value for ${at}` })
    else {
      const field = declared.findLast((one) => one.in === 'path' && one.name === name)
      const meant = field ? parsePlaceText(value, field) : value
      faults.push(...listValueFaults(getDocumentedSchema(parameter), meant, at, document.root, true))
    }
  }
  return faults
}

/** A parameter says what it may be by a schema, or by content of some media type. */
export const getDocumentedSchema = (parameter: DocumentNode | undefined): unknown =>
  parameter?.['schema'] ?? true
export const listValueFaults = (
  schema: unknown,
  value: JsonValue,
  at: string,
  root: DocumentNode,
  asText = false,
): TaskFault[] =>
  listSchemaFaults(schema, value, at, { root, asText }).map(({ kind, at: place, says }) => ({
    kind,
    says: `${place} ${says}`,
  }))

function listArgumentFaults(
  config: RequestConfiguration,
  target: EndpointTarget,
  api: SpecifiedApi,
): TaskFault[] {
  const {
    headers = {},
    params = {},
    data,
  } = config as { headers?: TaskFields; params?: TaskFields; data?: TaskFields }
  return [
    ...listHeaderFaults(headers, target, api),
    ...listCookieFaults(headers, target, api),
    ...listQueryFaults(params, target, api),
    ...listBodyFaults(headers, data, target, api),
    ...listSecurityFaults(headers, params, target),
  ]
}

/** Headers that are written in one way. */
const usualNames: Readonly<Record<string, string>> = { accept: 'Accept', 'content-type': 'Content-Type' }

/** Headers that parameters can't describe. */
const reserved = new Set(['accept', 'content-type', 'authorization'])
const listSchemes = ({ security }: EndpointTarget, where: string): SecurityScheme[] =>
  security.flat().filter((one) => one.in === where)

function listHeaderFaults(
  headers: TaskFields,
  target: EndpointTarget,
  { document: { root }, endpoints }: SpecifiedApi,
): TaskFault[] {
  const faults: TaskFault[] = []
  const parameters = target.parameters.filter(
    (one) => one['in'] === 'header' && !reserved.has(formatAsText(one['name']).toLowerCase()),
  )
  const same = (a: unknown, b: string) => formatAsText(a).toLowerCase() === b.toLowerCase()
  for (const [name, value] of Object.entries(headers)) {
    const at = `config.headers.${name}`
    if (typeof value !== 'string' || value !== value.trim() || !/^[\x20-\x7e]+$/.test(value)) {
      faults.push({ kind: 'wrong type', says: `${at} must be a string that a header can contain` })
      continue
    }
    const usual = getOwnMember(usualNames, name.toLowerCase())
    if (usual !== undefined) {
      if (name !== usual) faults.push({ kind: 'unknown argument', says: `${at} must be written ${usual}` })
      continue
    }
    if (name.toLowerCase() === 'cookie') continue
    const parameter = parameters.find((one) => same(one['name'], name))
    const authenticates =
      listSchemes(target, 'header').some((one) => same(one.name, name)) ||
      endpoints.specification.security.some((one) => one.in === 'header' && same(one.name, name))
    const spelt =
      parameter?.['name'] ?? listSchemes(target, 'header').find((one) => same(one.name, name))?.name ?? name
    if (!parameter && !authenticates)
      faults.push({
        kind: 'unknown argument',
        says: `${at} is unknown; ${describeParameters('headers', parameters)}`,
      })
    else if (spelt !== name)
      faults.push({ kind: 'unknown argument', says: `${at} must be written ${formatAsText(spelt)}` })
    else if (parameter && !authenticates)
      faults.push(...listValueFaults(getDocumentedSchema(parameter), value, at, root, true))
  }
  for (const { name, required } of parameters as { name: string; required?: boolean }[])
    if (
      required &&
      !Object.keys(headers).some((one) => same(one, name)) &&
      !(isToken(name) && 'Authorization' in headers)
    )
      faults.push(createMissingArgument(`config.headers.${name}`))
  return faults
}
/** The cookies of a request, by name: each is an argument. */
const parseCookies = (headers: TaskFields): Readonly<Record<string, string>> =>
  Object.fromEntries(
    formatAsText(getOwnMember(headers, 'Cookie') ?? '')
      .split(';')
      .map((one) => one.trim())
      .filter((one) => one !== '')
      .map((one) => [one.split('=', 1)[0]!, one.slice(one.indexOf('=') + 1)]),
  )

function listCookieFaults(
  headers: TaskFields,
  target: EndpointTarget,
  { document: { root } }: SpecifiedApi,
): TaskFault[] {
  const parameters = target.parameters.filter((one) => one['in'] === 'cookie')
  const cookies = parseCookies(headers)
  const faults = Object.entries(cookies).flatMap(([name, value]): TaskFault[] => {
    const at = `the cookie ${name} in config.headers.Cookie`
    if (listSchemes(target, 'cookie').some((one) => one.name === name)) return []
    const parameter = parameters.find((one) => one['name'] === name)
    return parameter
      ? listValueFaults(getDocumentedSchema(parameter), value, at, root, true)
      : [{ kind: 'unknown argument', says: `${at} is unknown; ${describeParameters('cookies', parameters)}` }]
  })
  for (const { name, required } of parameters as { name: string; required?: boolean }[])
    if (required && !Object.hasOwn(cookies, name))
      faults.push(createMissingArgument(`the cookie ${name} in config.headers.Cookie`))
  return faults
}

/** Slack documents its token as a parameter, too; tasks send it as the Authorization header. */
const isToken = (name: string) => name.toLowerCase() === 'token'
const createMissingArgument = (at: string): TaskFault => ({
  kind: 'missing argument',
  says: `${at} is missing, which the specification requires`,
})
const describeParameters = (what: string, parameters: readonly DocumentNode[]) =>
  `its ${what} are: ${
    parameters
      .map(({ name }) => formatAsText(name))
      .join(', ')
      .slice(0, 300) || 'none'
  }`

function listQueryFaults(
  params: TaskFields,
  target: EndpointTarget,
  { document: { root } }: SpecifiedApi,
): TaskFault[] {
  const parameters = target.parameters.filter((one) => one['in'] === 'query')
  const faults = Object.entries(params).flatMap(([name, value]): TaskFault[] => {
    const at = `config.params.${name}`
    const parameter = parameters.find((one) => one['name'] === name)
    if (parameter)
      return parameter['content'] === undefined
        ? listValueFaults(getDocumentedSchema(parameter), value, at, root)
        : []
    return listSchemes(target, 'query').some((one) => one.name === name)
      ? []
      : [
          {
            kind: 'unknown argument',
            says: `${at} is unknown; ${describeParameters('query parameters', parameters)}`,
          },
        ]
  })
  for (const { name, required } of parameters as { name: string; required?: boolean }[])
    if (required && !Object.hasOwn(params, name)) faults.push(createMissingArgument(`config.params.${name}`))
  return faults
}

function listBodyFaults(
  headers: TaskFields,
  data: TaskFields | undefined,
  { name, method, body }: EndpointTarget,
  { document }: SpecifiedApi,
): TaskFault[] {
  if (!data)
    return body?.required && isNeedingArguments(body, document) ? [createMissingArgument('config.data')] : []
  if (method === 'get')
    return [
      {
        kind: 'unknown argument',
        says: 'config.data must be absent: GET requests have no body',
      },
    ]
  if (!body) return [{ kind: 'unknown argument', says: `config.data must be absent: ${name} has no body` }]
  const able = listBodyMedia(body, document)
  const media = able.find((one) => one === headers['Content-Type'])
  if (media === undefined)
    return [
      {
        kind: 'value not allowed',
        says: `config.headers.Content-Type must be ${able.map((one) => JSON.stringify(one)).join(' or ') || 'one whose body is an object'}`,
      },
    ]
  const content = body.media[media]
  const faults = listValueFaults(
    isNode(content) ? (content['schema'] ?? true) : true,
    data,
    'config.data',
    document.root,
    !isJson(media),
  )
  const texts = isJson(media) ? [] : listUnwritten(data, 'config.data')
  const split =
    media === 'application/x-www-form-urlencoded' && /&/.test(JSON.stringify(data))
      ? [
          {
            kind: 'value not allowed',
            says: 'config.data must have no & in its texts, which divides the fields of a form',
          } as const,
        ]
      : []
  return [
    ...faults,
    ...split,
    ...texts.map((at): TaskFault => ({
      kind: 'wrong type',
      says: `${at} must be written as a text: a body of ${media} has no other values`,
    })),
  ]
}
/** A body that must be there may still be empty. */
function isNeedingArguments(
  body: NonNullable<EndpointTarget['body']>,
  document: SpecifiedApi['document'],
): boolean {
  const content = body.media[listBodyMedia(body, document)[0] ?? '']
  return (
    isNode(content) && listSchemaFaults(content['schema'] ?? true, {}, '', { root: document.root }).length > 0
  )
}
/** Places of a form whose values are no texts. */
const listUnwritten = (value: JsonValue, at: string): string[] =>
  typeof value === 'string'
    ? []
    : Array.isArray(value)
      ? value.flatMap((one, n) => listUnwritten(one, `${at}[${n}]`))
      : isRecord(value)
        ? Object.entries(value).flatMap(([name, one]) => listUnwritten(one, `${at}.${name}`))
        : [at]

/**
 * One alternative of what authenticates must be there as a whole, with a placeholder in place of the secret.
 */
function listSecurityFaults(
  headers: TaskFields,
  params: TaskFields,
  { security }: EndpointTarget,
): TaskFault[] {
  const places: Record<string, TaskFields> = { header: headers, query: params, cookie: parseCookies(headers) }
  const secretFaults = security.flat().flatMap(({ in: where, name }): TaskFault[] => {
    const value = getOwnMember(places[where] ?? {}, name)
    if (value === undefined || (typeof value === 'string' && /<(key|token)>/.test(value))) return []
    return [
      {
        kind: 'value not allowed',
        says: `${where === 'cookie' ? `the cookie ${name}` : `config.${where === 'query' ? 'params' : 'headers'}.${name}`} must contain the placeholder <key> or <token>, never a secret`,
      },
    ]
  })
  const met =
    security.length === 0 ||
    security.some((all) =>
      all.every(({ in: where, name }) => getOwnMember(places[where] ?? {}, name) !== undefined),
    )
  if (met) return secretFaults
  const ways = security.map((all) => all.map(({ in: where, name }) => `${name} (${where})`).join(' and '))
  return [
    ...secretFaults,
    {
      kind: 'missing authentication',
      says: `authentication is missing: ${[...new Set(ways)].join(', or ')}`,
    },
  ]
}

/** Arguments that the task doesn't say word for word: what a reviewer would look at first. */
export function listUnsaid(
  { instruction, config }: CheckedTask,
  { endpoints }: Pick<SpecifiedApi, 'endpoints'>,
): string[] {
  const says = instruction.toLowerCase()
  const leaves = (value: unknown, at: string): string[] =>
    Array.isArray(value)
      ? value.flatMap((one, n) => leaves(one, `${at}[${n}]`))
      : isNode(value)
        ? Object.entries(value).flatMap(([name, one]) => leaves(one, `${at}.${name}`))
        : typeof value === 'boolean' || says.includes(formatAsText(value).toLowerCase())
          ? []
          : [`${at} = ${JSON.stringify(value)}`]
  const headers = Object.entries(config.headers ?? {}).filter(
    ([name, value]) => !reserved.has(name.toLowerCase()) && !/<(key|token)>/.test(formatAsText(value)),
  )
  const params = Object.entries(config.params ?? {}).filter(
    ([, value]) => !/^<(key|token)>$/.test(formatAsText(value)),
  )
  return [
    ...leaves(endpoints.sound(config.url, config.method)?.values ?? {}, 'path'),
    ...leaves(Object.fromEntries(headers), 'headers'),
    ...leaves(Object.fromEntries(params), 'params'),
    ...leaves(config.data ?? {}, 'data'),
  ]
}
