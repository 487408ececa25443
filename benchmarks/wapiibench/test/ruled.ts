/** Tasks made by rule: for an endpoint, the smallest request that its specification takes. */
import { type JsonValue, isRecord } from '@stateeval/contracts'
import type { RequestConfiguration } from '../case.ts'
import type { SpecifiedApi, EndpointTarget } from '../creation/api.ts'
import { formats } from '../creation/formats.ts'
import { listSchemaFaults } from '../creation/schema.ts'
import { isNode, resolvePointer, type DocumentNode } from '@stateeval/openapi'

const deepest = 12
const texts = [
  'abc',
  'a1',
  '12',
  'A',
  'abcdef123456',
  'AB',
  'ABC',
  'en',
  'USD',
  'US',
  '1.2.3',
  '+15551234567',
  'a@b.example',
  '0x1',
  'https://example.com/a',
  '123e4567-e89b-12d3-a456-426614174000',
  '2026-03-31',
  '2026-03-31T09:30:00Z',
  '12345',
  'a-b',
  'a.b',
  'a/b',
  '#aabbcc',
  '1234567890',
  '0'.repeat(18),
  'a'.repeat(24),
  'a'.repeat(32),
  'a'.repeat(40),
  'a'.repeat(64),
]

/** Prefixed ids, such as adr_ and sixteen letters. */
const fromPattern = (pattern: string): string[] => {
  const [, prefix] = /^\^\(?([A-Za-z0-9_-]+)/.exec(pattern) ?? []
  return prefix === undefined
    ? []
    : [1, 3, 8, 10, 14, 15, 16, 17, 18, 20, 24, 32].flatMap((n) => [
        prefix + 'a'.repeat(n),
        prefix + '1'.repeat(n),
      ])
}

/** A schema with all that references and allOf add, and the nth of its alternatives. */
function merged(schema: unknown, root: DocumentNode, n: number, depth = 0): DocumentNode {
  if (!isNode(schema) || depth > deepest) return {}
  const { $ref, allOf, anyOf, oneOf, ...own } = schema
  const parts: unknown[] = [
    ...(typeof $ref === 'string' ? [resolvePointer(root, $ref)] : []),
    ...(Array.isArray(allOf) ? (allOf as unknown[]) : []),
    ...[anyOf, oneOf].flatMap((group) =>
      Array.isArray(group) && group.length > 0 ? [group[n % group.length] as unknown] : [],
    ),
  ]
  return parts
    .map((part) => merged(part, root, n, depth + 1))
    .concat([own])
    .reduce<DocumentNode>(
      (all, part) => ({
        ...all,
        ...part,
        ...((all['properties'] ?? part['properties']) !== undefined && {
          properties: { ...(all['properties'] as object), ...(part['properties'] as object) },
        }),
        ...((all['required'] ?? part['required']) !== undefined && {
          required: [all['required'], part['required']].flatMap((one) =>
            Array.isArray(one) ? (one as string[]) : [],
          ),
        }),
      }),
      {},
    )
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

type Look = { root: DocumentNode; asText: boolean }
/** Values that may fit, the likeliest first. */
function* candidates(schema: unknown, look: Look, depth = 0): Generator<JsonValue> {
  for (let n = 0; n < 6; n++) {
    const node = merged(schema, look.root, n)
    const { type, enum: some, format } = node
    const examples = [node['example'], ...toList(node['examples'])]
    for (const one of [node['const'], ...toList(some), node['default'], ...examples])
      if (one !== undefined && one !== null) yield one as JsonValue
    const kinds = [type].flat().filter((one) => one !== 'null') as string[]
    const kind = kinds[0] ?? (node['properties'] ? 'object' : node['items'] ? 'array' : 'string')
    if (kind === 'string') {
      if (typeof format === 'string' && formats[format]) yield formats[format].example
      if (typeof node['pattern'] === 'string') yield* fromPattern(node['pattern'])
      const { minLength = 0 } = node as { minLength?: number }
      yield 'x'.repeat(Math.max(1, minLength))
      yield* texts
    }
    if (kind === 'integer' || kind === 'number') {
      const bounds = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf']
        .map((name) => node[name])
        .filter((one): one is number => typeof one === 'number')
      for (const one of [7, 1, ...bounds, ...bounds.flatMap((bound) => [bound + 1, bound - 1])]) yield one
    }
    if (kind === 'boolean') yield true
    if (kind === 'array') {
      const { minItems = 1 } = node as { minItems?: number }
      const one = depth < deepest ? fitting(node['items'] ?? {}, look, depth + 1) : undefined
      if (one !== undefined) yield Array.from({ length: Math.max(1, Math.min(minItems, 5)) }, () => one)
      yield []
    }
    if (kind === 'object' && depth < deepest) {
      const properties = isNode(node['properties']) ? node['properties'] : {}
      const names = new Set(Array.isArray(node['required']) ? (node['required'] as string[]) : [])
      const fields: Record<string, JsonValue> = {}
      for (const name of names) {
        if (merged(properties[name], look.root, 0)['readOnly'] === true) continue
        const value = fitting(properties[name] ?? {}, look, depth + 1)
        if (value !== undefined) fields[name] = value
      }
      yield fields
      // Where one more is demanded.
      for (const [name, property] of Object.entries(properties).slice(0, 30)) {
        if (names.has(name) || merged(property, look.root, 0)['readOnly'] === true) continue
        const value = fitting(property, look, depth + 1)
        if (value !== undefined) yield { ...fields, [name]: value }
      }
    }
  }
}
const written = (value: JsonValue): JsonValue =>
  Array.isArray(value)
    ? value.map(written)
    : isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, written(one)]))
      : String(value)

/** A value that the schema takes; undefined where none is found. */
function fitting(
  schema: unknown,
  look: Look,
  depth = 0,
  isAlso: (value: JsonValue) => boolean = () => true,
): JsonValue | undefined {
  let tries = 0
  for (const candidate of candidates(schema, look, depth)) {
    if (++tries > 200) return undefined
    const value = look.asText ? written(candidate) : candidate
    if (isAlso(value) && listSchemaFaults(schema ?? true, value, '', look).length === 0) return value
  }
  return undefined
}

/** A value in a path, as its style says. */
function styled(value: JsonValue, { name, style = 'simple', explode = false }: DocumentNode): string {
  const joint = explode ? ({ label: '.', matrix: ';' }[style as string] ?? ',') : ','
  const pairs = isRecord(value) ? Object.entries(value).map(([key, one]) => [key, String(one)]) : []
  const members = Array.isArray(value)
    ? value.map(String)
    : pairs.map((pair) => pair.join(explode ? '=' : ','))
  const isNested = Array.isArray(value) || isRecord(value)
  const named = (one: string) => `${String(name)}=${one}`
  if (style === 'label') return `.${isNested ? members.join(joint) : String(value)}`
  if (style !== 'matrix') return isNested ? members.join(joint) : String(value)
  if (!isNested || !explode) return `;${named(isNested ? members.join(',') : String(value))}`
  return `;${(Array.isArray(value) ? members.map(named) : members).join(';')}`
}

/** The smallest configuration of an endpoint, and nothing where no values are found. */
export function ruledConfig(
  { document: { root }, endpoints }: SpecifiedApi,
  target: EndpointTarget,
): RequestConfiguration | undefined {
  const { method, template, parameters, body, security } = target
  const headers: Record<string, JsonValue> = {}
  const params: Record<string, JsonValue> = {}
  let url = (target.server ?? endpoints.specification.server) + template
  const secure = security.length === 0 || security.some((all) => all.length === 0) ? [] : security[0]!
  const cookies: string[] = []
  for (const { in: place, name } of secure)
    if (place === 'query') params[name] = '<key>'
    else if (place === 'cookie') cookies.push(`${name}=<key>`)
    else headers[name] = name === 'Authorization' ? 'Bearer <token>' : '<key>'
  for (const parameter of parameters) {
    const {
      in: place,
      name,
      required,
      content,
    } = parameter as { in: string; name: string; required?: boolean; content?: DocumentNode }
    if (place !== 'path' && required !== true) continue
    if (place === 'header' && ['accept', 'content-type', 'authorization'].includes(name.toLowerCase()))
      continue
    const schema = isNode(content)
      ? (Object.values(content)[0] as DocumentNode)['schema']
      : parameter['schema']
    const look = { root, asText: place !== 'query' }
    const isSafe = (one: JsonValue) =>
      place !== 'path' ||
      (typeof one === 'object' && Object.keys(one ?? {}).length > 0) ||
      /^[A-Za-z0-9._~!$()*,;=:@+-]+$/.test(String(one))
    const value = fitting(schema ?? {}, look, 0, isSafe)
    if (value === undefined) return undefined
    if (place === 'path') url = url.replaceAll(`{${name}}`, styled(value, parameter))
    if (place === 'query') params[name] = value
    if (place === 'header') headers[name] = String(value)
    if (place === 'cookie') cookies.push(`${name}=${String(value)}`)
  }
  if (cookies.length > 0) headers['Cookie'] = cookies.join('; ')
  const config: RequestConfiguration = { url, method, headers, params }
  if (!body?.required) return config
  const able = Object.keys(body.media)
  const media = able.find((one) => /json/.test(one)) ?? able.find((one) => /form/.test(one)) ?? able[0]!
  const schema = (body.media[media] as DocumentNode)['schema'] ?? {}
  const data = fitting(schema, { root, asText: !/json/.test(media) })
  if (!isRecord(data)) return undefined
  return { ...config, headers: { ...headers, 'Content-Type': media }, data }
}
