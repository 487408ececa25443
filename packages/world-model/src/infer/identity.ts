/** The field of an item that a parameter means. */
import type { FlatSchema, FlattenSchema } from './schema.ts'
import { toSnake } from './words.ts'

const suffixes = [
  'id',
  'sid',
  'gid',
  'uuid',
  'name',
  'slug',
  'key',
  'number',
  'code',
  'token',
  'username',
  'login',
  'uid',
]
const common = ['id', 'name', 'slug', 'key', 'uuid', 'sid', 'gid', 'token', 'code', 'login', 'number']

export interface AskedParameter {
  name: string
  schema: FlatSchema
  description: string
}

/** Names of fields that the parameter may mean, the likeliest first. */
function listCandidates(noun: string, { name, description, schema }: AskedParameter): string[] {
  const parameter = toSnake(name)
  const names: string[] = parameter === '' ? [] : [parameter]
  if (parameter.startsWith(`${noun}_`)) names.push(parameter.slice(noun.length + 1))
  for (const suffix of suffixes)
    if (
      parameter === suffix ||
      parameter.endsWith(`_${suffix}`) ||
      (!parameter.includes('_') && parameter.endsWith(suffix))
    )
      names.push(suffix, `${noun}_${suffix}`)
  const isNoun =
    parameter === noun ||
    parameter === '' ||
    parameter.endsWith(`_${noun}`) ||
    noun.endsWith(`_${parameter}`) ||
    noun.startsWith(parameter)
  names.push(...(isNoun ? common : ['id', 'uuid', 'sid', 'gid']), `${noun}_id`)
  if (parameter === 'username' || parameter.endsWith('_username')) names.unshift('username', 'login')
  // The documentation says more than a name such as {org}.
  const text = description.toLowerCase()
  if (!/(?:id|sid|gid|uuid|number|slug|token|key)$/.test(parameter)) {
    const at = names[0] === parameter ? 1 : 0
    if (/\bslug\b/.test(text)) names.splice(at, 0, 'slug')
    else if (/handle|login/.test(text)) names.splice(at, 0, 'login')
    else if (/\bname\b/.test(text) && schema.type === 'string') names.splice(at, 0, 'name', 'login')
  }
  return names
}

/** The path of the field of an item that a parameter of this type means; null if none fits. */
export function findIdentityField(
  flatten: FlattenSchema,
  item: FlatSchema | undefined,
  noun: string,
  parameter: AskedParameter,
): string | null {
  if (!item) return null
  const names = new Map([...item.properties.keys()].map((name) => [toSnake(name), name]))
  const candidates = listCandidates(noun, parameter)
  const asksText = parameter.schema.type === 'string' && !/id$/.test(toSnake(parameter.name))
  for (const candidate of candidates) {
    const name = names.get(candidate)
    if (name === undefined) continue
    const field = flatten(item.properties.get(name))
    // A text is no number that happens to be named alike.
    if (asksText && (field.type === 'integer' || field.type === 'number')) continue
    if (field.type === 'array' || field.type === 'boolean') continue
    if (field.type !== 'object') return name
    const inner = ['login', 'id', 'gid', 'name'].find((key) => field.properties.has(key))
    if (inner !== undefined) return `${name}.${inner}`
  }
  // Items with their identity one level down: Kubernetes, JSON:API, wrapped data.
  for (const part of ['metadata', 'data', 'attributes', 'properties', 'spec']) {
    const inner = item.properties.has(part) ? flatten(item.properties.get(part)) : undefined
    const found = inner && [...candidates, 'id'].find((candidate) => inner.properties.has(candidate))
    if (found !== undefined) return `${part}.${found}`
  }
  // An item without an id is named by a text.
  const text = parameter.schema.type === 'string' ? ['name', 'slug', 'key', 'code'] : []
  return text.find((name) => flatten(item.properties.get(name)).type === 'string') ?? null
}
