/** The shape of an answer: where in its envelope the item or the list lies. */
import { splitName, singulariseName, toSnake } from './words.ts'
import { type FlatSchema, type FlattenSchema, flattenProperty } from './schema.ts'

export interface AnswerShape {
  is: 'none' | 'item' | 'list' | 'map' | 'opaque' | 'scalar'
  at: readonly string[]
  item?: FlatSchema
}

const envelopes =
  'data items results result value values records entries list objects content rows hits resource resources hydra:member'.split(
    ' ',
  )
/** Names of members that tell of an answer or its pages. */
const about =
  /^(?:meta|_?links?|paging|pagination|page|per_page|limit|offset|total(?:_.*)?|count|size|cursor|next.*|prev.*|first.*|last.*|has_?more|object|url|uri|href|kind|api_?version|response_metadata|ok|request_id|start|end|num_pages|self|data_?count|included|errors?|warnings?|order|complete|incomplete_results|ledger|status|message|success|page_size|page_token|pages|type)$/i

/** @param noun the type whose items the operation's path names */
export function inferShape(flatten: FlattenSchema, schema: unknown, noun: string): AnswerShape {
  if (schema === undefined) return { is: 'none', at: [] }
  const flat = flatten(schema)
  if (flat.type === 'array' || flat.items !== undefined)
    return { is: 'list', at: [], item: flatten(flat.items) }
  const names = [...flat.properties.keys()]
  if (names.length === 0)
    return {
      is: flat.isOpen ? 'map' : flat.type === 'object' || flat.type === undefined ? 'opaque' : 'scalar',
      at: [],
      item: flat,
    }
  const member = (name: string) => flattenProperty(flatten, flat, name)
  const arrays = names.filter((name) => member(name).type === 'array')
  const others = names.filter((name) => !about.test(name))
  const envelope = envelopes.find((name) => names.includes(name))
  const hasId = names.includes('id')
  const listAt = (name: string): AnswerShape => ({
    is: 'list',
    at: [name],
    item: flatten(member(name).items),
  })
  const named = arrays.find((name) => singulariseName(name) === noun || toSnake(name).endsWith(noun))
  if (noun !== '' && named !== undefined && !hasId) return listAt(named)
  if (envelope !== undefined && arrays.includes(envelope) && others.length <= 3 && !hasId)
    return listAt(envelope)
  if (arrays.length === 1 && others.length === 1 && others[0] === arrays[0]) return listAt(others[0]!)
  const objects = others.filter((name) => {
    const { properties, type, isOpen } = member(name)
    return properties.size > 1 || (type === 'object' && (isOpen || name === 'data'))
  })
  if (envelope !== undefined && objects.includes(envelope) && !hasId && others.length <= 3) {
    const inner = inferShape(flatten, flat.properties.get(envelope), noun)
    return inner.is === 'list'
      ? { ...inner, at: [envelope, ...inner.at] }
      : { is: 'item', at: [envelope], item: member(envelope) }
  }
  if (objects.length === 1 && others.length === 1 && !hasId)
    return { is: 'item', at: [objects[0]!], item: member(objects[0]!) }
  return { is: 'item', at: [], item: flat }
}

/** Words of an identifier that come before its verb's object. */
export const listIdWords = (id: string) => splitName(id.replace(/^.*[/#]/, ''))
