/** Reads a document as requests are judged by it. What is broken is named by its place in the document. */
import { formatAsText, getOwnMember } from '@stateeval/contracts'
import {
  type SpecificationDocument,
  isNode,
  type DocumentNode,
  openDocument,
  readPart,
  type BrokenPart,
  type OperationNode,
  readOperations,
  listAddresses,
  isFull,
} from '@stateeval/openapi'
import { isJson } from './media.ts'
import type {
  BodyForm,
  SpecifiedOperation,
  SpecifiedParameter,
  BodyProperty,
  ApiDescription,
} from './types.ts'
import { usualStyles } from './written.ts'

const longestSummary = 160
/** Limit of all bodies together. Twenty schemas that each refer twice to the next are a million parts. */
const maxParts = 200_000

/**
 * The specification, and what of it is broken: operations that cannot be called.
 *
 * @param file the name that a problem tells. Throws a ProblemError that names file and place.
 */
export function readSpecification(
  value: unknown,
  id: string,
  file: string,
): { specification: ApiDescription; broken: BrokenPart[] } {
  return buildSpecification(openDocument(value, file), id)
}
/**
 * Also returns the operations as the document has them, in its order, with what of it is broken among them.
 *
 * @param requestedServer the one that tasks use; the document's first by default
 */
export function buildSpecification(
  document: SpecificationDocument,
  id: string,
  requestedServer?: string,
): { specification: ApiDescription; broken: BrokenPart[]; parts: (OperationNode | BrokenPart)[] } {
  const { root, wrong, object, list, resolve } = document
  const is31 = /^3\.1/.test(formatAsText(root['openapi']))
  const typeOf = (schema: unknown, place: string, depth = 0): string | undefined => {
    // In 3.1 a schema may be true or false; and lists of lists may be of themselves.
    if (schema === undefined || typeof schema === 'boolean' || depth > 5) return undefined
    const { type, items } = resolve(schema, place)
    const name: unknown = Array.isArray(type) ? (type as unknown[]).find((one) => one !== 'null') : type
    if (name !== 'array') return typeof name === 'string' ? name : undefined
    const inner = typeOf(items, `${place}/items`, depth + 1)
    return inner ? `array of ${inner}` : 'array'
  }
  const about = (value: unknown) =>
    typeof value === 'string' && value.trim() !== ''
      ? {
          about: value
            .trim()
            .split(/\n|(?<=\.)\s/)[0]!
            .slice(0, longestSummary),
        }
      : {}
  const readParameter = (node: DocumentNode, place: string): SpecifiedParameter => {
    const { name, in: where, content, required, description } = node
    if (typeof name !== 'string' || typeof where !== 'string') return wrong(place, 'must have a name and in')
    const [media] = isNode(content) ? Object.entries(content) : []
    const schema = media ? object(media[1], `${place}/content`)['schema'] : node['schema']
    const type = typeOf(schema, `${place}/schema`)
    return {
      name,
      in: where,
      ...(type && { type }),
      ...(required === true && { required: true }),
      ...(media
        ? isJson(media[0]) && { json: true as const }
        : writingOf(node, where, { type, schema, place })),
      ...about(description),
    }
  }
  /** The names of an exploded object's members stand for themselves, without its own. */
  const writingOf = (
    { style, explode }: DocumentNode,
    where: string,
    { type, schema, place }: { type: string | undefined; schema: unknown; place: string },
  ) => {
    const isExploded = where !== 'path' && where !== 'header' && explode !== false
    const isLoose = type === 'object' && isExploded && (style === undefined || style === 'form')
    const members = isLoose ? propertiesOf(schema, `${place}/schema`) : undefined
    return {
      ...(typeof style === 'string' && style !== getOwnMember(usualStyles, where) && { style }),
      ...(typeof explode === 'boolean' && { explode }),
      ...(members && { properties: members.properties.map(({ name }) => name) }),
      ...(members?.open && { open: true as const }),
    }
  }
  let partsLeft = maxParts
  /** Properties of a schema and of all schemas that it is made of. */
  const propertiesOf = (
    schema: unknown,
    place: string,
    depth = 0,
  ): { properties: BodyProperty[]; open: boolean; patterns: string[] } => {
    if (typeof schema === 'boolean') return { properties: [], open: schema, patterns: [] }
    if (depth > 20) return wrong(place, 'contains itself')
    const node = besideReference(schema) ?? resolve(schema, place)
    const requiredNames = list(node['required'], `${place}/required`)
    const entries = Object.entries(
      node['properties'] === undefined ? {} : object(node['properties'], `${place}/properties`),
    )
    partsLeft -= 1 + requiredNames.length + entries.length
    if (partsLeft < 0)
      return wrong(place, `is too large: the bodies have more than ${maxParts} parts and properties`)
    const required = new Set(requiredNames)
    const properties = entries.map(([name, value]): BodyProperty => {
      const type = typeOf(value, `${place}/properties/${name}`)
      const { description } = typeof value === 'boolean' ? {} : resolve(value, `${place}/properties/${name}`)
      return {
        name,
        ...(type && { type }),
        ...(required.has(name) && { required: true }),
        ...(isFile(value, `${place}/properties/${name}`) && { file: true as const }),
        ...about(description),
      }
    })
    const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((key) =>
      list(node[key], `${place}/${key}`).map((part, n) =>
        propertiesOf(part, `${place}/${key}/${n}`, depth + 1),
      ),
    )
    const byName = new Map(
      [...parts.flatMap((part) => part.properties), ...properties].map((one) => [one.name, one]),
    )
    const open =
      node['additionalProperties'] === true ||
      typeof node['additionalProperties'] === 'object' ||
      parts.some((part) => part.open)
    const ownPatterns = isNode(node['patternProperties']) ? Object.keys(node['patternProperties']) : []
    const patterns = [...new Set([...parts.flatMap((part) => part.patterns), ...ownPatterns])]
    const isFree = byName.size === 0 && patterns.length === 0 && node['type'] === 'object'
    return {
      properties: [...byName.values()],
      open: open || (isFree && node['properties'] === undefined),
      patterns,
    }
  }
  /** 3.0 says it by a format, 3.1 by a media type of the content. */
  const isFile = (schema: unknown, place: string, depth = 0): boolean => {
    if (!isNode(schema) || depth > 5) return false
    const { format, contentMediaType, contentEncoding, items } = resolve(schema, place)
    const isBinary = contentMediaType !== undefined && contentEncoding === undefined
    return format === 'binary' || isBinary || isFile(items, `${place}/items`, depth + 1)
  }
  /** In 3.1, what stands beside a reference holds as well. */
  const besideReference = (schema: unknown): DocumentNode | undefined => {
    if (!is31 || !isNode(schema) || typeof schema['$ref'] !== 'string') return undefined
    const { $ref, ...beside } = schema
    return Object.keys(beside).length > 0 ? { allOf: [{ $ref }, beside] } : undefined
  }
  const bodyForm = (media: string, content: unknown, place: string): BodyForm => {
    const { schema, encoding } = object(content, place)
    if (schema === undefined) return { media, properties: [], open: true }
    const { properties, open, patterns } = propertiesOf(schema, `${place}/schema`)
    const encoded = isNode(encoding) && !isJson(media) ? encoding : {}
    return {
      media,
      properties: properties.map((one) => ({ ...one, ...encodingOf(getOwnMember(encoded, one.name)) })),
      ...(open && { open: true as const }),
      ...(patterns.length > 0 && { patterns }),
    }
  }
  const encodingOf = (encoding: unknown) => {
    const { style, explode, contentType } = isNode(encoding) ? encoding : {}
    return {
      ...(typeof style === 'string' && style !== 'form' && { style }),
      ...(typeof explode === 'boolean' && { explode }),
      ...(typeof contentType === 'string' && isJson(contentType) && { json: true as const }),
    }
  }
  const bodyOf = (value: unknown, place: string): SpecifiedOperation['body'] => {
    const [first, ...others] = Object.entries(
      object(resolve(value, place)['content'], `${place}/content`),
    ).map(([media, content]) => bodyForm(media, content, `${place}/content/${media}`))
    return first && { ...first, ...(others.length > 0 && { others }) }
  }

  const addresses = listAddresses(root['servers'])
  const server = requestedServer ?? addresses.find((address) => isFull(address))
  if (server === undefined) return wrong('servers', 'must have an address that begins with http')
  const others = addresses.filter((address) => address !== server)

  const schemes = (root['components'] as DocumentNode | undefined)?.['securitySchemes'] ?? {}
  const broken: BrokenPart[] = []
  const security = Object.entries(object(schemes, 'components/securitySchemes')).flatMap(([name, value]) => {
    const scheme = readPart(() => resolve(value, `components/securitySchemes/${name}`))
    if ('broken' in scheme) {
      broken.push({ template: '', ...scheme })
      return []
    }
    const { type, in: where, name: key } = scheme.value
    if (type === 'apiKey') return [{ in: formatAsText(where), name: formatAsText(key) }]
    return type === 'http' || type === 'oauth2' || type === 'openIdConnect'
      ? [{ in: 'header', name: 'Authorization' }]
      : []
  })
  const read = ({ item, operation, place, parameters }: OperationNode): SpecifiedOperation => {
    const { requestBody, summary, description } = operation
    const ownServers = listAddresses(operation['servers'] ?? item['servers'], server)
    const { about: operationSummary } = about(summary ?? description)
    const body =
      requestBody === undefined || requestBody === null
        ? undefined
        : bodyOf(requestBody, `${place}/requestBody`)
    return {
      ...(operationSummary && { summary: operationSummary }),
      ...(ownServers.length > 0 && { servers: ownServers }),
      parameters: parameters.map((one) => readParameter(one.node, one.place)),
      ...(body && { body }),
    }
  }
  const parts: (OperationNode | BrokenPart)[] = []
  const paths = readOperations(document, (node) => ({ node, operation: read(node) })).map(
    ({ template, operations }) => ({
      template,
      operations: Object.fromEntries(
        operations.flatMap((one) => {
          parts.push('value' in one ? one.value.node : one)
          if ('value' in one) return [[one.method, one.value.operation] as const]
          broken.push(one)
          return []
        }),
      ),
    }),
  )
  if (paths.length === 0) wrong('paths', 'has none')
  const title = formatAsText((root['info'] as DocumentNode | undefined)?.['title'] ?? id)
  const specification = {
    schema: 1 as const,
    id,
    title,
    server,
    ...(others.length > 0 && { servers: others }),
    security,
    paths,
  }
  return { specification, broken, parts }
}
