/** Reads an OpenAPI 3.0 or 3.1 document. What is broken is named by its place in the document. */
import { type Node, openDocument } from './document.ts'
import type { SpecifiedOperation, Parameter, Property, Specification } from './types.ts'

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']
const longestSummary = 160
/** Of all bodies together. Twenty schemas that each refer twice to the next are a million parts. */
const maxParts = 200_000

/** @param file the name that a problem tells. Throws a ProblemError that names file and place. */
export function readSpecification(document: unknown, id: string, file: string): Specification {
  const { root, wrong, object, list, resolve } = openDocument(document, file)
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
  const parameter = (value: unknown, place: string): Parameter => {
    const node = resolve(value, place)
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

  const servers = list(root['servers'], 'servers')
  if (servers.length !== 1) wrong('servers', `must be one, not ${servers.length}`)
  const { url } = object(servers[0], 'servers/0')
  if (typeof url !== 'string' || !/^https?:\/\//.test(url))
    return wrong('servers/0/url', 'must be an address that begins with http')

  const schemes = (root['components'] as Node | undefined)?.['securitySchemes'] ?? {}
  const security = Object.entries(object(schemes, 'components/securitySchemes')).flatMap(([name, value]) => {
    const { type, in: where, name: key } = resolve(value, `components/securitySchemes/${name}`)
    if (type === 'apiKey') return [{ in: String(where), name: String(key) }]
    return type === 'http' || type === 'oauth2' ? [{ in: 'header', name: 'Authorization' }] : []
  })
  const paths = Object.entries(object(root['paths'], 'paths')).map(([template, value]) => {
    const item = resolve(value, `paths/${template}`)
    const shared = list(item['parameters'], `paths/${template}/parameters`).map((one, n) =>
      parameter(one, `paths/${template}/parameters/${n}`),
    )
    const operations = methods.flatMap((method) => {
      if (item[method] === undefined) return []
      const place = `paths/${template}/${method}`
      const { parameters, requestBody, summary, description } = object(item[method], place)
      const { about: operationSummary } = about(summary ?? description)
      const operationParameters = list(parameters, `${place}/parameters`).map((one, n) =>
        parameter(one, `${place}/parameters/${n}`),
      )
      const body = requestBody === undefined ? undefined : bodyOf(requestBody, `${place}/requestBody`)
      const operation: SpecifiedOperation = {
        ...(operationSummary && { summary: operationSummary }),
        parameters: [...shared, ...operationParameters],
        ...(body && { body }),
      }
      return [[method, operation] as const]
    })
    return { template, operations: Object.fromEntries(operations) }
  })
  if (paths.length === 0) wrong('paths', 'has none')
  const title = String((root['info'] as Node | undefined)?.['title'] ?? id)
  return { schema: 1, id, title, server: url.replace(/(?<!\/)\/+$/, ''), security, paths }
}
