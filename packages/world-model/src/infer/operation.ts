/** Operations of a document as inference reads them. */
import {
  type DocumentNode,
  isNode,
  readOperations,
  readPart,
  type SpecificationDocument,
} from '@stateeval/openapi'

export interface ApiParameter {
  name: string
  in: string
  isRequired: boolean
  schema: unknown
  description: string
}

export interface ApiOperation {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** The path without empty parts, endings such as `.json`, and a query. */
  segments: readonly string[]
  summary: string
  description: string
  parameters: readonly ApiParameter[]
  body?: { media: string; schema: unknown }
  /** The schema of a success. */
  answer?: unknown
  statuses: readonly string[]
}
/** A part of the document that cannot be used, and why. */
export interface DroppedPart {
  what: string
  reason: string
}

const methods: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete'])
export const isParameter = (segment: string | undefined) =>
  segment !== undefined && /\{[^{}]+\}/.test(segment)
export const getParameterName = (segment: string | undefined) => /\{([^{}]+)\}/.exec(segment ?? '')?.[1]
/** Paths that differ in the names of their parameters only have the same form. */
export const formatPathForm = (segments: readonly string[]) =>
  segments.map((segment) => (isParameter(segment) ? '{}' : segment)).join('/')

/** Reads the operations; broken parts are dropped with their reasons. */
export function readApiOperations(document: SpecificationDocument): {
  operations: ApiOperation[]
  dropped: DroppedPart[]
} {
  const dropped: DroppedPart[] = []
  const operations = readOperations(document, ({ template, method, place, operation, parameters }) => {
    const all = new Map<string, ApiParameter>()
    for (const { node } of parameters) {
      const { name, in: where, required, schema, description } = node
      if (typeof name !== 'string' || typeof where !== 'string') continue
      all.set(`${where} ${name}`, {
        name,
        in: where,
        isRequired: required === true,
        schema,
        description: typeof description === 'string' ? description : '',
      })
    }
    const requestBody = operation['requestBody']
    const body =
      requestBody === undefined
        ? undefined
        : readContent(document, document.resolve(requestBody, `${place}/requestBody`)['content'])
    const responses = isNode(operation['responses']) ? operation['responses'] : {}
    const success = Object.keys(responses)
      .filter((status) => /^2/.test(status))
      .sort()[0]
    const response = responses[success ?? 'default']
    const answer =
      response === undefined
        ? undefined
        : readContent(document, document.resolve(response, `${place}/responses`)['content'])
    const text = (key: string) => (typeof operation[key] === 'string' ? operation[key] : '')
    return {
      id: text('operationId') || `${method} ${template}`,
      method: method.toUpperCase() as ApiOperation['method'],
      path: template,
      segments: splitPath(template),
      summary: text('summary'),
      description: text('description'),
      parameters: [...all.values()],
      ...(body && { body }),
      ...(answer && { answer: answer.schema }),
      statuses: Object.keys(responses),
    } satisfies ApiOperation
  }).flatMap((path) =>
    path.operations.flatMap((one) => {
      if ('broken' in one) {
        dropped.push({
          what: `${one.method?.toUpperCase() ?? ''} ${one.template}`.trim(),
          reason: one.broken,
        })
        return []
      }
      return methods.has(one.method) ? [one.value] : []
    }),
  )
  return { operations: nameTwins(operations), dropped }
}

const splitPath = (path: string) =>
  path
    .split('?', 1)[0]!
    .replace(/\.(?:json|xml)$/, '')
    .split('/')
    .filter(Boolean)

/** The JSON among the media types, else a form, else the first. Some documents refer to whole contents. */
function readContent(
  document: SpecificationDocument,
  content: unknown,
): { media: string; schema: unknown } | undefined {
  const types = followPart(document, content)
  if (!types) return undefined
  const names = Object.keys(types)
  const media =
    names.find((name) => name.includes('json')) ?? names.find((name) => name.includes('form')) ?? names[0]
  return media === undefined ? undefined : { media, schema: followPart(document, types[media])?.['schema'] }
}
/** The part, or that which it refers to; undefined where nothing is there. */
function followPart({ resolve }: SpecificationDocument, part: unknown): DocumentNode | undefined {
  const node = readPart(() => resolve(part, ''))
  return 'value' in node ? node.value : undefined
}

/** An id that stands twice gets its method and path. */
function nameTwins(operations: readonly ApiOperation[]): ApiOperation[] {
  const seen = new Set<string>()
  return operations.map((operation) => {
    const id = seen.has(operation.id) ? `${operation.method} ${operation.path}` : operation.id
    seen.add(id)
    return { ...operation, id }
  })
}

/** What the paths of a document say together. */
export class PathIndex {
  private readonly prefixes = new Set<string>()
  private readonly byForm = new Map<string, ApiOperation>()
  /** Most paths are names of procedures, not of things. */
  readonly isProcedural: boolean

  constructor(operations: readonly ApiOperation[]) {
    for (const operation of operations) {
      const { segments, method } = operation
      this.byForm.set(`${method} ${formatPathForm(segments)}`, operation)
      for (let length = 1; length <= segments.length; length++)
        this.prefixes.add(formatPathForm(segments.slice(0, length)))
    }
    const count = operations.length
    const posts = operations.filter(({ method }) => method === 'POST').length
    const fixed = operations.filter(({ path }) => !path.includes('{')).length
    const dotted = operations.filter(({ segments }) => segments.at(-1)?.includes('.')).length
    this.isProcedural = count > 5 && fixed > 0.85 * count && (posts > 0.7 * count || dotted > 0.7 * count)
  }

  /** Whether a path goes on with a parameter. */
  hasItems(segments: readonly string[]): boolean {
    return this.prefixes.has(`${formatPathForm(segments)}/{}`)
  }
  /** The operation of a method on a path of the same form. */
  find(segments: readonly string[], method: ApiOperation['method']): ApiOperation | undefined {
    return this.byForm.get(`${method} ${formatPathForm(segments)}`)
  }
}
