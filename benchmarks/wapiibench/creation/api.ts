/**
 * An API that tasks are made for: its document, as requests are judged by it, and the endpoints that there
 * are.
 */
import { formatAsText, getOwnMember, ProblemError, canonicalJson, sha256 } from '@stateeval/contracts'
import { type WritingOptions } from '@stateeval/program'
import {
  type SpecificationDocument,
  isNode,
  resolvePointer,
  type DocumentNode,
  openDocument,
  readPart,
  readText,
  type BrokenPart,
  type OperationNode,
  listAddresses,
  isFull,
} from '@stateeval/openapi'
import { type SpecifiedEndpoints, compileEndpoints } from '../specification/endpoints.ts'
import { buildSpecification } from '../specification/read.ts'

/** The methods that a request configuration may have. */
const askable = ['get', 'put', 'post', 'delete', 'patch'] as const
const others = ['head', 'options', 'trace'] as const
/** Listing 4: those whose requests may have a body. */
const bodied = new Set(['put', 'post', 'delete', 'patch'])

export interface EndpointTarget extends TargetPart {
  /** Its place among those that are wanted, and in the whole document: cases are named by the latter. */
  index: number
  place: number
}
interface TargetPart {
  method: string
  template: string
  /** `GET /books/{id}` */
  name: string
  /** The server, if not at the document's server. */
  server?: string
  /** The path's parameters, then the operation's, which replace those of the same name and place. */
  parameters: readonly DocumentNode[]
  body?: { required: boolean; media: Readonly<Record<string, unknown>> }
  /**
   * Alternatives: all schemes of one are needed. None is needed where there is none, or one of them is empty.
   */
  security: readonly (readonly SecurityScheme[])[]
  /** Why no request configuration can be written for it. */
  skipped?: string
  /** More about that. */
  detail?: string
}
export interface SecurityScheme {
  in: string
  name: string
}
export interface SpecifiedApi {
  id: string
  title: string
  document: SpecificationDocument
  /** The text as it was given. */
  text: string
  endpoints: SpecifiedEndpoints
  targets: readonly EndpointTarget[]
  artifact: { hash: string; bytes: Uint8Array }
  /** SHA-256 of the document. */
  source: string
}

const file = 'the specification'

/** Reads a document. Throws a ProblemError that names what is wrong with it, or with an option. */
export function openApi(text: string, options: WritingOptions): SpecifiedApi {
  const document = openDocument(readText(text, file), file)
  const { info } = document.root
  const title = options.title ?? shortenTo80(isNode(info) ? info['title'] : undefined) ?? options.id
  const server = chooseServer(document, options.server)
  const { specification: untitled, parts } = buildSpecification(document, options.id, server)
  const specification = { ...untitled, title }
  const bytes = new TextEncoder().encode(canonicalJson(specification))
  const all = listTargets(document, server, parts)
  const targets = all.filter(
    ({ template }) => options.paths?.some((start) => template.startsWith(start)) ?? true,
  )
  if (targets.length === 0)
    throw new ProblemError(
      'unprocessable',
      `${file} has ${all.length} endpoints, but none of them begins with ${options.paths?.join(' or ')}`,
      '/paths',
    )
  return {
    id: options.id,
    title,
    document,
    text,
    endpoints: compileEndpoints(specification),
    targets: targets.map((target, index) => ({ ...target, index })),
    artifact: { hash: sha256(bytes), bytes },
    source: sha256(text),
  }
}
const shortenTo80 = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 80) : undefined

/** The server that was asked for, else the document's first. */
function chooseServer({ root }: SpecificationDocument, requestedServer: string | undefined): string {
  const servers = requestedServer === undefined ? root['servers'] : [{ url: requestedServer }]
  const server = listAddresses(servers).find((address) => isFull(address))
  if (server !== undefined) return server
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined
  const named = isNode(first) ? first['url'] : undefined
  throw new ProblemError(
    'unprocessable',
    `${named === undefined ? `${file} names no server` : `the server ${JSON.stringify(named)} is no full address`}; say which one requests go to, such as https://api.example.com/v1`,
    '/server',
  )
}

/** @param parts of the document, in its order */
function listTargets(
  document: SpecificationDocument,
  server: string,
  parts: readonly (OperationNode | BrokenPart)[],
): Omit<EndpointTarget, 'index'>[] {
  const targets = parts.map((part) => {
    if ('broken' in part) return createBrokenTarget(part)
    const target = readPart(() => buildTarget(document, part, server))
    return 'broken' in target ? createBrokenTarget({ ...part, ...target }) : target.value
  })
  // Paths that differ only in the names of their placeholders are one to a server.
  const shapes = new Map<string, string>()
  return targets.map((target, place) => {
    const shape = [target.method, target.server, target.template.replace(/\{[^{}]*\}/g, '{}')].join(' ')
    const first = shapes.get(shape)
    if (first === undefined) shapes.set(shape, target.name)
    const ambiguous = first !== undefined && first !== target.name && `its path is also that of ${first}`
    return { ...target, place, ...(ambiguous && { skipped: target.skipped ?? ambiguous }) }
  })
}

function buildTarget(
  document: SpecificationDocument,
  found: OperationNode,
  documentServer: string,
): TargetPart {
  const { template, method, place, item, operation } = found
  const { object, resolve } = document
  const byName = new Map(
    found.parameters.map(({ node }) => [`${formatAsText(node['in'])} ${formatAsText(node['name'])}`, node]),
  )
  const { requestBody } = operation
  const bodyNode =
    requestBody === undefined || requestBody === null
      ? undefined
      : resolve(requestBody, `${place}/requestBody`)
  const body = bodyNode && {
    required: bodyNode['required'] === true,
    media: object(bodyNode['content'] ?? {}, `${place}/requestBody/content`),
  }
  const own = listAddresses(operation['servers'] ?? item['servers'], documentServer)
  const server = own.find((address) => isFull(address))
  const target: TargetPart = {
    method,
    template,
    name: `${method.toUpperCase()} ${template}`,
    ...(server !== undefined && { server }),
    parameters: [...byName.values()],
    ...(body && { body }),
    security: readSecurity(document, operation, place),
  }
  const skipped = explainSkipped(target, document)
  return { ...target, ...(skipped !== undefined && { skipped }) }
}
const createBrokenTarget = ({ template, method, broken }: BrokenPart): TargetPart => ({
  method: method ?? '',
  template,
  name: method === undefined ? template : `${method.toUpperCase()} ${template}`,
  parameters: [],
  security: [],
  skipped: 'the specification is broken there',
  detail: broken,
})

/**
 * The endpoints that no request configuration of the benchmark can call, and why: in few words, as they are
 * counted by them.
 */
function explainSkipped(
  { method, template, parameters, body }: TargetPart,
  document: SpecificationDocument,
): string | undefined {
  if ((others as readonly string[]).includes(method))
    return `the method ${method} is not supported; supported: ${askable.join(', ')}`
  if (/[?#'"\\\s]/.test(template)) return 'its path has characters that no path may have'
  if (parameters.some((one) => one['in'] === 'path' && one['style'] === undefined && isNested(one, document)))
    return 'its path has a list or an object'
  if (!body?.required) return undefined
  if (!bodied.has(method)) return `the method ${method} has no body`
  return Object.entries(body.media).some(([, content]) => canBeObject(content, document))
    ? undefined
    : 'its body is not an object of arguments'
}

/** Tells whether a parameter has no plain value. */
function isNested({ schema }: DocumentNode, { resolve }: SpecificationDocument): boolean {
  if (!isNode(schema)) return false
  const { type } = resolve(schema, 'schema')
  return [type].flat().some((one) => one === 'array' || one === 'object')
}

/** Tells whether a body of this content may be an object, so that a configuration can name its arguments. */
export function canBeObject(
  content: unknown,
  { root }: Pick<SpecificationDocument, 'root'>,
  depth = 0,
): boolean {
  let schema = isNode(content) ? (depth === 0 ? content['schema'] : content) : undefined
  for (let steps = 0; isNode(schema) && typeof schema['$ref'] === 'string' && steps < 20; steps++)
    schema = resolvePointer(root, schema['$ref'])
  if (!isNode(schema)) return depth > 0
  const { type, allOf, anyOf, oneOf } = schema
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object')))
    return false
  if (depth > 8) return true
  const group = (value: unknown) => (Array.isArray(value) && value.length > 0 ? (value as unknown[]) : null)
  const each = (value: unknown) => group(value)?.map((one) => canBeObject(one, { root }, depth + 1)) ?? [true]
  return each(allOf).every(Boolean) && each(anyOf).some(Boolean) && each(oneOf).some(Boolean)
}

/** Reads the schemes that authenticate, of the operation or else of the whole document. */
function readSecurity(
  { root, list, object, resolve }: SpecificationDocument,
  operation: DocumentNode,
  place: string,
): SecurityScheme[][] {
  const schemes =
    isNode(root['components']) && isNode(root['components']['securitySchemes'])
      ? root['components']['securitySchemes']
      : {}
  const requirements =
    operation['security'] === undefined
      ? list(root['security'], 'security')
      : list(operation['security'], `${place}/security`)
  return requirements.map((one, n) =>
    Object.keys(object(one, `${place}/security/${n}`)).flatMap((name): SecurityScheme[] => {
      const scheme = getOwnMember(schemes, name)
      if (scheme === undefined) return []
      const { type, in: where, name: key } = resolve(scheme, `components/securitySchemes/${name}`)
      if (type === 'apiKey') return [{ in: formatAsText(where), name: formatAsText(key) }]
      return type === 'http' || type === 'oauth2' || type === 'openIdConnect'
        ? [{ in: 'header', name: 'Authorization' }]
        : []
    }),
  )
}
