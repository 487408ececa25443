/** Reads a document as requests are judged by it. What is broken is named by its place in the document. */
import { type Document, type Node, openDocument, readPart } from './document.ts'
import { type BrokenPart, readOperations } from './operations.ts'
import { addressesOf, isFull } from './servers.ts'
import type { SpecifiedOperation, Parameter, Property, Specification } from './types.ts'

const longestSummary = 160
/** Of all bodies together. Twenty schemas that each refer twice to the next are a million parts. */
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
): { specification: Specification; broken: BrokenPart[] } {
  return specificationOf(openDocument(value, file), id)
}
/** @param requestedServer the one that tasks use; the document's first by default */
export function specificationOf(
  document: Document,
  id: string,
  requestedServer?: string,
): { specification: Specification; broken: BrokenPart[] } {
  const { root, wrong, object, list, resolve } = document
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
  const parameterOf = (node: Node, place: string): Parameter => {
    const { name, in: where, schema, required, description, explode } = node
    if (typeof name !== 'string' || typeof where !== 'string') return wrong(place, 'must have a name and in')
    const type = typeOf(schema, `${place}/schema`)
    return {
      name,
      in: where,
      ...(type && { type }),
      ...(required === true && { required: true }),
      ...(typeof explode === 'boolean' && { explode }),
      ...about(description),
    }
  }
  let partsLeft = maxParts
  /** Properties of a schema and of all schemas that it is made of. */
  const propertiesOf = (
    schema: unknown,
    place: string,
    depth = 0,
  ): { properties: Property[]; open: boolean } => {
    if (typeof schema === 'boolean') return { properties: [], open: schema }
    if (depth > 20) return wrong(place, 'contains itself')
    const node = resolve(schema, place)
    const requiredNames = list(node['required'], `${place}/required`)
    const entries = Object.entries(
      node['properties'] === undefined ? {} : object(node['properties'], `${place}/properties`),
    )
    partsLeft -= 1 + requiredNames.length + entries.length
    if (partsLeft < 0)
      return wrong(place, `is too large: the bodies have more than ${maxParts} parts and properties`)
    const required = new Set(requiredNames)
    const properties = entries.map(([name, value]): Property => {
      const type = typeOf(value, `${place}/properties/${name}`)
      const { description } = typeof value === 'boolean' ? {} : resolve(value, `${place}/properties/${name}`)
      return {
        name,
        ...(type && { type }),
        ...(required.has(name) && { required: true }),
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
    return {
      properties: [...byName.values()],
      open: open || (byName.size === 0 && node['type'] === 'object' && node['properties'] === undefined),
    }
  }
  const bodyOf = (value: unknown, place: string): SpecifiedOperation['body'] => {
    const [first] = Object.entries(object(resolve(value, place)['content'], `${place}/content`))
    if (!first) return undefined
    const [media, content] = first
    const { schema } = object(content, `${place}/content/${media}`)
    if (schema === undefined) return { media, properties: [], open: true }
    const { properties, open } = propertiesOf(schema, `${place}/content/${media}/schema`)
    return { media, properties, ...(open && { open: true }) }
  }

  const addresses = addressesOf(root['servers'])
  const server = requestedServer ?? addresses.find((address) => isFull(address))
  if (server === undefined) return wrong('servers', 'must have an address that begins with http')
  const others = addresses.filter((address) => address !== server)

  const schemes = (root['components'] as Node | undefined)?.['securitySchemes'] ?? {}
  const broken: BrokenPart[] = []
  const security = Object.entries(object(schemes, 'components/securitySchemes')).flatMap(([name, value]) => {
    const scheme = readPart(() => resolve(value, `components/securitySchemes/${name}`))
    if ('broken' in scheme) {
      broken.push({ template: '', ...scheme })
      return []
    }
    const { type, in: where, name: key } = scheme.value
    if (type === 'apiKey') return [{ in: String(where), name: String(key) }]
    return type === 'http' || type === 'oauth2' || type === 'openIdConnect'
      ? [{ in: 'header', name: 'Authorization' }]
      : []
  })
  const paths = readOperations(document, ({ item, operation, place, parameters }): SpecifiedOperation => {
    const { requestBody, summary, description } = operation
    const ownServers = addressesOf(operation['servers'] ?? item['servers'], server)
    const { about: operationSummary } = about(summary ?? description)
    const body =
      requestBody === undefined || requestBody === null
        ? undefined
        : bodyOf(requestBody, `${place}/requestBody`)
    return {
      ...(operationSummary && { summary: operationSummary }),
      ...(ownServers.length > 0 && { servers: ownServers }),
      parameters: parameters.map((one) => parameterOf(one.node, one.place)),
      ...(body && { body }),
    }
  }).map(({ template, operations }) => ({
    template,
    operations: Object.fromEntries(
      operations.flatMap((one) => {
        if ('value' in one) return [[one.method, one.value] as const]
        broken.push(one)
        return []
      }),
    ),
  }))
  if (paths.length === 0) wrong('paths', 'has none')
  const title = String((root['info'] as Node | undefined)?.['title'] ?? id)
  const specification = {
    schema: 1 as const,
    id,
    title,
    server,
    ...(others.length > 0 && { servers: others }),
    security,
    paths,
  }
  return { specification, broken }
}
