/** Random values that fit a schema, for property tests of contracts. */
import fc, { type Arbitrary } from 'fast-check'
import type { Static, TSchema } from 'typebox'

/**
 * Names that every object inherits, that hide line breaks or half a character, and that no language takes as
 * they are.
 */
const oddNames = [
  '',
  ' ',
  'a\nb',
  'ä',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '$tensor',
  "a'b",
  '{}',
  '<|endoftext|>',
]

interface Node {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Node[]
  properties?: Record<string, Node>
  required?: string[]
  additionalProperties?: boolean | Node
  propertyNames?: Node
  maxProperties?: number
  items?: Node | Node[]
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
}

interface ArbitraryOptions {
  /** Texts to draw from besides random ones, where they fit. */
  texts?: readonly string[]
}

/** Values of the schema; lists and objects are short, names and texts often unusual. */
export function arbitraryOf<S extends TSchema>(
  schema: S,
  { texts = [] }: ArbitraryOptions = {},
): Arbitrary<Static<S>> {
  const pool = [...oddNames, ...texts]
  const text = ({ pattern, format, minLength = 0, maxLength = 1000 }: Node): Arbitrary<string> => {
    if (format === 'date-time') return fc.constant('2026-01-31T08:30:00.000Z')
    const fits = (one: string) =>
      one.length >= minLength && one.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(one))
    const fittingTexts = pool.filter(fits)
    const random = pattern
      ? fc.stringMatching(new RegExp(pattern, 'u')).filter(fits)
      : fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 20) })
    return fittingTexts.length > 0
      ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fittingTexts) }, { weight: 1, arbitrary: random })
      : random
  }
  const of = (node: Node, depth: number): Arbitrary<unknown> => {
    if ('const' in node) return fc.constant(node.const)
    if (node.enum) return fc.constantFrom(...node.enum)
    if (node.anyOf) return fc.oneof(...node.anyOf.map((one) => of(one, depth)))
    const { minimum = -1000, maximum = minimum + 2000 } = node
    switch (node.type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return fc.integer({ min: minimum, max: Math.min(maximum, minimum + 2000) })
      case 'number':
        return fc.double({ min: minimum, max: maximum, noNaN: true })
      case 'string':
        return text(node)
      case 'array': {
        const { items = {}, minItems = 0, maxItems = 4 } = node
        if (Array.isArray(items)) return fc.tuple(...items.map((item) => of(item, depth + 1)))
        const lengths = {
          minLength: minItems,
          maxLength: Math.max(minItems, Math.min(maxItems, depth > 4 ? 1 : 3)),
        }
        return node.uniqueItems
          ? fc.uniqueArray(of(items, depth + 1), lengths)
          : fc.array(of(items, depth + 1), lengths)
      }
      case 'object': {
        const {
          properties = {},
          required = [],
          additionalProperties,
          propertyNames = {},
          maxProperties = 3,
        } = node
        const members = Object.fromEntries(
          Object.entries(properties).map(([name, member]) => [name, of(member, depth + 1)]),
        )
        const listedMembers = fc.record(members, { requiredKeys: required }) as Arbitrary<object>
        if (typeof additionalProperties !== 'object') return listedMembers
        const entry = fc.tuple(text(propertyNames), of(additionalProperties, depth + 1))
        return fc
          .tuple(listedMembers, fc.array(entry, { maxLength: Math.min(maxProperties, 3) }))
          .map(([listedValue, others]): unknown =>
            Object.fromEntries([...others, ...Object.entries(listedValue)]),
          )
      }
      default:
        return fc.oneof(fc.constantFrom(...pool), fc.jsonValue({ maxDepth: 2 }))
    }
  }
  return of(schema, 0) as Arbitrary<Static<S>>
}
