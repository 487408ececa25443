/** The OpenAPI 3.1 document of a service, from its operations. Schemas that contracts name are components. */
import * as contracts from '@stateeval/contracts'
import {
  isCreating,
  type HttpAnswer,
  listErrorStatuses,
  type HttpOperation,
  type HttpOperations,
  tagDescriptions,
} from '@stateeval/contracts'
import {
  buildHeaderReference,
  buildResponseHeaders,
  formatResponseName,
  buildSharedComponents,
} from './openapi-components.ts'

type OpenApiNode = Record<string, unknown>
interface OpenApiParts {
  name: string
  description: string
  operations: HttpOperations
}

const isSchema = (value: unknown): value is OpenApiNode =>
  typeof value === 'object' && value !== null && '~kind' in value
const serializeSchema = (schema: unknown) => JSON.stringify(schema)

/** Named schemas by their text: TypeBox copies a schema where it is optional, so identity would miss some. */
const schemaNames = new Map(
  Object.entries(contracts as Record<string, unknown>)
    .filter(
      ([name, value]) =>
        /^[A-Z]/.test(name) && isSchema(value) && ('properties' in value || 'anyOf' in value),
    )
    .map(([name, value]) => [serializeSchema(value), name]),
)

export function openApiDocument({ name, description, operations }: OpenApiParts): OpenApiNode {
  const components: OpenApiNode = {}
  const refer = (schema: unknown): unknown => convert(schema, components, true)
  const paths: Record<string, OpenApiNode> = {}
  for (const [id, operation] of Object.entries(operations)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: buildOperationEntry(id, operation, refer),
    }
  }
  const tags = [...new Set(Object.values(operations).map(({ tag }) => tag))]
  refer(contracts.Problem)
  return {
    openapi: '3.1.0',
    info: {
      title: `StateEval ${name}`,
      description,
      version: '1',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The source of this document' }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths,
    components: {
      securitySchemes,
      ...buildSharedComponents(Object.values(operations)),
      schemas: sortMembers(components),
    },
  }
}

/** Both are sent alike. OpenAPI 3.1 lets any scheme name the roles that an operation needs. */
const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key (POST /v1/keys of evaluation makes one) or a JWT of the configured issuer. An operation names the scope that it needs; admin includes run, and run includes read.',
  },
}

const sortMembers = (members: OpenApiNode) =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))

function buildOperationEntry(
  id: string,
  operation: HttpOperation,
  refer: (schema: unknown) => unknown,
): OpenApiNode {
  const { summary, description, scope, tag, params, query, body, example, success, etag } = operation
  const headers = operation.headers ?? (isCreating(operation) ? contracts.IdempotencyHeaders : undefined)
  const parameters = [
    ...buildParameters('path', params, refer),
    ...buildParameters('query', query, refer),
    ...buildParameters('header', headers, refer),
    ...(etag ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ]
  const answers = Object.entries(success).map(([status, answer]) => [
    status,
    {
      description: answer.description,
      headers: Object.fromEntries(
        buildResponseHeaders(operation, Number(status)).map((name) => [name, buildHeaderReference(name)]),
      ),
      ...(answer.schema && {
        content: {
          [answer.contentType ?? 'application/json']: buildContent(answer, refer),
          ...Object.fromEntries((answer.otherTypes ?? []).map((type) => [type, buildOtherContent(type)])),
        },
      }),
    },
  ])
  const unchanged = etag ? [['304', { $ref: '#/components/responses/NotModified' }]] : []
  const errors = listErrorStatuses(operation).map((status) => [
    status,
    { $ref: `#/components/responses/${formatResponseName(status)}` },
  ])
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    // Without a key where access is open, as on a laptop.
    security: [{ key: [scope] }, {}],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refer(body), ...(example !== undefined && { example }) } },
      },
    }),
    responses: Object.fromEntries([...answers, ...unchanged, ...errors]),
  }
}

/** The same answer in another form: text, or bytes. */
const buildOtherContent = (type: string): OpenApiNode => ({
  schema: type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' },
})

const buildContent = ({ schema, example }: HttpAnswer, refer: (schema: unknown) => unknown): OpenApiNode => ({
  schema: refer(schema),
  ...(example !== undefined && { example }),
})

function buildParameters(place: string, schema: unknown, refer: (schema: unknown) => unknown): OpenApiNode[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, OpenApiNode>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: refer(rest),
  }))
}

/**
 * A union's object members get their own names: generators of clients make a type of a nameless one for each
 * place where they meet the union, and stumble over what is nested in it.
 */
function withNamedMembers(schema: OpenApiNode, union: string): OpenApiNode {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return schema
  const members = anyOf as OpenApiNode[]
  for (const member of members)
    if ('properties' in member && !schemaNames.has(serializeSchema(member)))
      schemaNames.set(serializeSchema(member), formatMemberName(member, members, union))
  return schema
}

/**
 * After the literal that tells the members apart, such as ListExpr, or else after a property that only this
 * one has.
 */
function formatMemberName(member: OpenApiNode, members: readonly OpenApiNode[], union: string): string {
  const properties = Object.entries(member['properties'] as Record<string, OpenApiNode>)
  const [literal] = properties.flatMap(([, { const: only, anyOf }]) =>
    [only, ...((anyOf ?? []) as OpenApiNode[]).map((one) => one['const'])].filter(
      (value) => typeof value === 'string',
    ),
  )
  if (literal !== undefined) return `${toPascalCase(literal)}${union}`
  const ownProperty = properties.find(([key]) =>
    members.every(
      (other) => other === member || !Object.hasOwn((other['properties'] ?? {}) as OpenApiNode, key),
    ),
  )
  return `${union}${toPascalCase(ownProperty?.[0] ?? String(members.indexOf(member) + 1))}`
}
const toPascalCase = (text: string) =>
  text
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/**
 * A schema as OpenAPI 3.1 writes it: components by reference, tuples by prefixItems, closed lists of words as
 * enum.
 */
function convert(schema: unknown, components: OpenApiNode, top: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((item) => convert(item, components, true))
  if (schema === null || typeof schema !== 'object') return schema
  const name = top ? schemaNames.get(serializeSchema(schema)) : undefined
  if (name) {
    if (!(name in components)) {
      components[name] = {}
      components[name] = convert(withNamedMembers(schema as OpenApiNode, name), components, false)
    }
    return { $ref: `#/components/schemas/${name}` }
  }
  const { $id: _, ...node } = schema as OpenApiNode
  if (
    Array.isArray(node['anyOf']) &&
    node['anyOf'].every((item) => typeof (item as OpenApiNode)['const'] === 'string')
  ) {
    const { anyOf, ...rest } = node
    return { ...rest, type: 'string', enum: (anyOf as OpenApiNode[]).map((item) => item['const']) }
  }
  if (Array.isArray(node['items'])) {
    // Closed by its length: `items: false` says the same, but generators of clients don't read it.
    const { items, additionalItems: _additional, ...rest } = node
    return {
      ...rest,
      prefixItems: convert(items, components, true),
      minItems: node['items'].length,
      maxItems: node['items'].length,
    }
  }
  if (Object.keys(node['properties'] ?? { none: 1 }).length === 0) delete node['properties']
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === 'properties' || key === 'patternProperties'
        ? Object.fromEntries(
            Object.entries(value as OpenApiNode).map(([member, part]) => [
              member,
              convert(part, components, true),
            ]),
          )
        : ['enum', 'const', 'default', 'required', 'examples', 'example'].includes(key)
          ? value
          : convert(value, components, true),
    ]),
  )
}
