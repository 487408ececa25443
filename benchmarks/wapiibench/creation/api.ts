/**
 * An API that tasks are made for: its document, as requests are judged by it, and the endpoints that there
 * are.
 */
import { ownMember, ProblemError, canonicalJson, sha256 } from '@stateeval/contracts'
import { type WritingOptions } from '@stateeval/program'
import {
  type Document,
  isNode,
  lookUp,
  type Node,
  openDocument,
  readText,
} from '../specification/document.ts'
import { type Endpoints, endpointsOf } from '../specification/endpoints.ts'
import { readSpecification } from '../specification/read.ts'

/** The methods that a request configuration may have. */
const askable = ['get', 'put', 'post', 'delete', 'patch'] as const
const others = ['head', 'options', 'trace'] as const
/** Listing 4: those whose requests may have a body. */
const bodied = new Set(['put', 'post', 'delete', 'patch'])

export interface Target {
  /** Its place among those that are wanted, and in the whole document: cases are named by the latter. */
  index: number
  place: number
  method: string
  template: string
  /** `GET /books/{id}` */
  name: string
  /** The path's parameters, then the operation's, which replace those of the same name and place. */
  parameters: readonly Node[]
  body?: { required: boolean; media: Readonly<Record<string, unknown>> }
  /**
   * Alternatives: all schemes of one are needed. None is needed where there is none, or one of them is empty.
   */
  security: readonly (readonly Scheme[])[]
  /** Why no request configuration can be written for it. */
  skipped?: string
}
export interface Scheme {
  in: string
  name: string
}
export interface Api {
  id: string
  title: string
  document: Document
  /** The text as it was given. */
  text: string
  endpoints: Endpoints
  targets: readonly Target[]
  artifact: { hash: string; bytes: Uint8Array }
  /** SHA-256 of the document. */
  source: string
}

const file = 'the specification'

/** Reads a document. Throws a ProblemError that names what is wrong with it, or with an option. */
export function openApi(text: string, options: WritingOptions): Api {
  const source = openDocument(readText(text, file), file)
  const server = serverOf(source, options.server)
  // One server is what URLs are matched by.
  const document = openDocument({ ...source.root, servers: [{ url: server }] }, file)
  const title =
    options.title ??
    text80(isNode(source.root['info']) ? source.root['info']['title'] : undefined) ??
    options.id
  const specification = { ...readSpecification(document.root, options.id, file), title }
  const bytes = new TextEncoder().encode(canonicalJson(specification))
  const all = targetsOf(document)
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
    endpoints: endpointsOf(specification),
    targets: targets.map((target, index) => ({ ...target, index })),
    artifact: { hash: sha256(bytes), bytes },
    source: sha256(text),
  }
}
const text80 = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 80) : undefined

/** The server that was asked for, else the document's first, its variables at their defaults. */
function serverOf({ root, list }: Document, requestedServer: string | undefined): string {
  const [first] = list(root['servers'], 'servers')
  const { url, variables } = isNode(first) ? first : {}
  const filled =
    requestedServer ??
    (typeof url === 'string'
      ? url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
          const variable = isNode(variables) ? ownMember(variables, name) : undefined
          return isNode(variable) && typeof variable['default'] === 'string' ? variable['default'] : whole
        })
      : '')
  if (!/^https?:\/\/[^{}?#\s'"]+$/.test(filled))
    throw new ProblemError(
      'unprocessable',
      `${filled === '' ? `${file} names no server` : `the server ${JSON.stringify(filled)} is no full address`}; say which one requests go to, such as https://api.example.com/v1`,
      '/server',
    )
  return filled.replace(/(?<!\/)\/+$/, '')
}

function targetsOf(document: Document): Target[] {
  const { root, object, list, resolve } = document
  const targets: Target[] = []
  for (const [template, value] of Object.entries(object(root['paths'], 'paths'))) {
    const item = resolve(value, `paths/${template}`)
    for (const method of [...askable, ...others]) {
      if (item[method] === undefined) continue
      const place = `paths/${template}/${method}`
      const operation = object(item[method], place)
      const parametersIn = (from: Node, at: string) =>
        list(from['parameters'], `${at}/parameters`).map((one, n) => resolve(one, `${at}/parameters/${n}`))
      const byName = new Map(
        [...parametersIn(item, `paths/${template}`), ...parametersIn(operation, place)].map((one) => [
          `${String(one['in'])} ${String(one['name'])}`,
          one,
        ]),
      )
      const requestBody =
        operation['requestBody'] === undefined
          ? undefined
          : resolve(operation['requestBody'], `${place}/requestBody`)
      const body = requestBody && {
        required: requestBody['required'] === true,
        media: object(requestBody['content'] ?? {}, `${place}/requestBody/content`),
      }
      const target: Target = {
        index: targets.length,
        place: targets.length,
        method,
        template,
        name: `${method.toUpperCase()} ${template}`,
        parameters: [...byName.values()],
        ...(body && { body }),
        security: securityOf(document, operation, place),
      }
      const skipped = whySkipped(target, [item, operation], document)
      targets.push({ ...target, ...(skipped !== undefined && { skipped }) })
    }
  }
  return targets
}

/**
 * The endpoints that no request configuration of the benchmark can call, and why: in few words, as they are
 * counted by them.
 */
function whySkipped(
  { method, template, parameters, body }: Target,
  levels: readonly Node[],
  document: Document,
): string | undefined {
  if ((others as readonly string[]).includes(method))
    return `the method ${method} is not supported; supported: ${askable.join(', ')}`
  if (/[?#'"\\\s]/.test(template)) return 'its path has characters that no path may have'
  if (levels.some(({ servers }) => Array.isArray(servers) && servers.length > 0))
    return 'it has a separate server'
  if (parameters.some((one) => one['in'] === 'cookie' && one['required'] === true)) return 'it needs a cookie'
  if (!body?.required) return undefined
  if (!bodied.has(method)) return `the method ${method} has no body`
  return Object.entries(body.media).some(([, content]) => mayBeObject(content, document))
    ? undefined
    : 'its body is not an object of arguments'
}

/** Whether a body of this content may be an object: of named arguments, as a configuration has them. */
export function mayBeObject(content: unknown, { root }: Pick<Document, 'root'>, depth = 0): boolean {
  let schema = isNode(content) ? (depth === 0 ? content['schema'] : content) : undefined
  for (let steps = 0; isNode(schema) && typeof schema['$ref'] === 'string' && steps < 20; steps++)
    schema = lookUp(root, schema['$ref'])
  if (!isNode(schema)) return depth > 0
  const { type, allOf, anyOf, oneOf } = schema
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object')))
    return false
  if (depth > 8) return true
  const group = (value: unknown) => (Array.isArray(value) && value.length > 0 ? (value as unknown[]) : null)
  const each = (value: unknown) => group(value)?.map((one) => mayBeObject(one, { root }, depth + 1)) ?? [true]
  return each(allOf).every(Boolean) && each(anyOf).some(Boolean) && each(oneOf).some(Boolean)
}

/** What has to be sent to authenticate, as in the operation or else in the whole document. */
function securityOf({ root, list, object, resolve }: Document, operation: Node, place: string): Scheme[][] {
  const schemes =
    isNode(root['components']) && isNode(root['components']['securitySchemes'])
      ? root['components']['securitySchemes']
      : {}
  const requirements =
    operation['security'] === undefined
      ? list(root['security'], 'security')
      : list(operation['security'], `${place}/security`)
  return requirements.map((one, n) =>
    Object.keys(object(one, `${place}/security/${n}`)).flatMap((name): Scheme[] => {
      const scheme = ownMember(schemes, name)
      if (scheme === undefined) return []
      const { type, in: where, name: key } = resolve(scheme, `components/securitySchemes/${name}`)
      if (type === 'apiKey') return [{ in: String(where), name: String(key) }]
      return type === 'http' || type === 'oauth2' || type === 'openIdConnect'
        ? [{ in: 'header', name: 'Authorization' }]
        : []
    }),
  )
}
