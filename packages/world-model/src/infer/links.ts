/** Producers of values: operations whose answers hold what a parameter or a field needs. */
import type { InferredEffect, InferredOperation } from './effect.ts'
import { type AskedParameter, findIdentityField } from './identity.ts'
import { formatPathForm, isParameter } from './operation.ts'
import type { FlatSchema, FlattenSchema } from './schema.ts'
import { singulariseName, toSnake } from './words.ts'

interface ValueProducer {
  operation: InferredOperation
  /** The field of the answer; absent where the client chooses the value. */
  field?: string
  how: 'structure' | 'assumed' | 'client' | 'type' | 'name' | 'field'
}
interface InferredNeed {
  name: string
  in: 'path' | 'query' | 'body'
  isRequired: boolean
  producers: readonly ValueProducer[]
  /** Why no producer is needed. */
  given?: 'enum' | 'own name' | 'partition' | 'example' | 'known set'
}
export type LinkedOperation = InferredOperation & { needs: readonly InferredNeed[] }

const producing: ReadonlySet<InferredEffect> = new Set([
  'create',
  'list',
  'search',
  'read',
  'replace',
  'update',
  'set',
])
const rank: Partial<Record<InferredEffect, number>> = {
  create: 0,
  replace: 0.5,
  list: 1,
  search: 2,
  action: 3,
  read: 4,
  update: 5,
}
/** Names that say nothing of the type. */
const generic = new Set(
  'id name type key slug code status path value date title ref number version format language locale url token email label tag username description'.split(
    ' ',
  ),
)
/** What callers have of their own. */
const credentials =
  /^(?:client_id|secret|client_secret|api_key|client_(?:user|transaction|payment|track|report)_id|client_.*_id|idempotency_key|external_id|request_id|nonce|.*_version)$/
const pagination = new Set(
  'page per_page limit offset cursor after before starting_after ending_before page_size page_token next marker size start count fields expand include sort order order_by direction sort_by opt_fields opt_pretty pretty skip take per since page_limit page_number'.split(
    ' ',
  ),
)
const identityEnding = /(?:^|_)(?:id|ids|sid|uuid|gid|guid|key)$/
const stemEnding =
  /^(.*?)_?(?:id|ids|sid|uuid|gid|guid|slug|key|name|number|token|code|username|login|identifier)$/

/** Most producers of one value that are kept. */
const mostProducers = 8

/** Finds the producers of all that the operations need. */
export function linkOperations(
  operations: readonly InferredOperation[],
  flatten: FlattenSchema,
): LinkedOperation[] {
  const links = new LinkIndex(operations, flatten)
  return operations.map((operation) => ({ ...operation, needs: links.listNeeds(operation) }))
}

class LinkIndex {
  private readonly byCollection = new Map<string, InferredOperation[]>()
  private readonly byNoun = new Map<string, InferredOperation[]>()
  private readonly byField = new Map<string, [InferredOperation, string][]>()
  private readonly byItemForm = new Map<string, InferredOperation[]>()
  private readonly flatten: FlattenSchema

  constructor(operations: readonly InferredOperation[], flatten: FlattenSchema) {
    this.flatten = flatten
    const add = <Value>(map: Map<string, Value[]>, key: string, value: Value) => {
      const list = map.get(key)
      if (list) list.push(value)
      else map.set(key, [value])
    }
    for (const operation of operations) {
      const { effect, collection, noun, shape, segments } = operation
      add(this.byItemForm, formatPathForm(segments), operation)
      add(this.byNoun, noun, operation)
      if (!producing.has(effect)) continue
      add(this.byCollection, collection, operation)
      const names = [...(shape.item?.properties.keys() ?? [])]
      const metadata = flatten(shape.item?.properties.get('metadata'))
      for (const name of names) add(this.byField, toSnake(name), [operation, name])
      for (const name of metadata.properties.keys())
        add(this.byField, toSnake(name), [operation, `metadata.${name}`])
    }
  }

  listNeeds(operation: InferredOperation): InferredNeed[] {
    const path = operation.segments.flatMap((segment, at) =>
      [...segment.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => this.needOfPath(operation, name!, at)),
    )
    return [...path, ...this.listQueryNeeds(operation), ...this.listBodyNeeds(operation)]
  }

  private needOfPath(operation: InferredOperation, name: string, at: number): InferredNeed {
    const declared = operation.parameters.find((one) => one.in === 'path' && one.name === name)
    const schema = this.flatten(declared?.schema)
    const asked = { name, schema, description: declared?.description ?? schema.description ?? '' }
    const producers = this.findPathProducers(operation, asked, at)
    const isOwnName =
      operation.effect === 'replace' &&
      at === operation.segments.length - 1 &&
      !this.hasCreator(operation.collection)
    const given = schema.enum?.length
      ? ('enum' as const)
      : isOwnName
        ? ('own name' as const)
        : operation.partition.includes(name)
          ? ('partition' as const)
          : schema.example !== undefined && producers.length === 0
            ? ('example' as const)
            : undefined
    const isStructural = producers.some(({ how }) => how === 'structure')
    return {
      name,
      in: 'path',
      isRequired: true,
      producers: given !== undefined && given !== 'own name' && !isStructural ? [] : producers,
      ...(given !== undefined && { given }),
    }
  }
  private hasCreator(collection: string): boolean {
    return this.byCollection.get(collection)?.some(({ effect }) => effect === 'create') ?? false
  }

  /** A parameter after a fixed segment comes from the answers of that collection. */
  private findPathProducers(
    operation: InferredOperation,
    asked: AskedParameter,
    at: number,
  ): ValueProducer[] {
    const { segments } = operation
    const before = segments[at - 1]
    const isWhole = segments[at]!.startsWith('{') && segments[at]!.endsWith('}')
    const collection = formatPathForm(segments.slice(0, at))
    const found: ValueProducer[] = []
    if (isWhole && before !== undefined && (!isParameter(before) || collection === operation.collection)) {
      const noun = isParameter(before) ? operation.noun : singulariseName(before)
      found.push(...this.findInCollection(operation, collection, noun, asked, at))
      if (!found.some((one) => one.operation.effect === 'create'))
        found.push(...this.findClientNamed(operation, at))
      if (found.length === 0) found.push(...this.findByNoun(operation, noun, asked, 'type'))
    }
    if (found.length === 0) found.push(...this.findByName(operation, asked, true))
    return sortProducers(found)
  }

  private findInCollection(
    operation: InferredOperation,
    collection: string,
    noun: string,
    asked: AskedParameter,
    at: number,
  ): ValueProducer[] {
    return (this.byCollection.get(collection) ?? []).flatMap((one): ValueProducer[] => {
      if (one === operation || one.effect === 'replace') return []
      // To be put into a group, a member is taken from elsewhere.
      if (operation.effect === 'link' && at === operation.segments.length - 1 && one.effect === 'list')
        return []
      // Who reads by the same id does not produce it.
      if (['read', 'update', 'set'].includes(one.effect) && isParameter(one.segments[at])) return []
      const field = findIdentityField(this.flatten, one.shape.item, noun, asked)
      if (field !== null) return [{ operation: one, field, how: 'structure' }]
      const isUntyped = ['opaque', 'map'].includes(one.shape.is) || one.shape.item?.properties.size === 0
      return isUntyped ? [{ operation: one, field: 'id', how: 'assumed' }] : []
    })
  }

  /** PUT on the item's path creates where nothing else does. */
  private findClientNamed(operation: InferredOperation, at: number): ValueProducer[] {
    if (this.hasCreator(formatPathForm(operation.segments.slice(0, at)))) return []
    const form = formatPathForm(operation.segments.slice(0, at + 1))
    return (this.byItemForm.get(form) ?? [])
      .filter((one) => one !== operation && one.effect === 'replace')
      .map((one) => ({ operation: one, how: 'client' as const }))
  }

  private findByNoun(
    operation: InferredOperation,
    noun: string,
    asked: AskedParameter,
    how: ValueProducer['how'],
  ): ValueProducer[] {
    return (this.byNoun.get(noun) ?? []).flatMap((one): ValueProducer[] => {
      const gives =
        ['create', 'list', 'search'].includes(one.effect) || (one.effect === 'read' && one.isSingleton)
      if (one === operation || !gives) return []
      const field = findIdentityField(this.flatten, one.shape.item, noun, asked)
      return field === null ? [] : [{ operation: one, field, how }]
    })
  }

  /** By what the name says: `author_id` is an author's, `invoice_number` is a field of that name. */
  private findByName(operation: InferredOperation, asked: AskedParameter, isPath: boolean): ValueProducer[] {
    const name = toSnake(asked.name)
    const [, before] = stemEnding.exec(name) ?? []
    const stem = before ? singulariseName(before) : isPath ? singulariseName(name) : ''
    if (stem !== '') {
      const nouns = [...this.byNoun.keys()]
      const noun = this.byNoun.has(stem)
        ? stem
        : nouns.find((one) => stem.endsWith(`_${one}`) || (isPath && one.endsWith(`_${stem}`)))
      const found = noun === undefined ? [] : this.findByNoun(operation, noun, asked, 'name')
      if (found.length > 0) return found
    }
    if (generic.has(name)) return []
    return (this.byField.get(name) ?? []).flatMap(([one, field]): ValueProducer[] => {
      const readsBySame =
        one.effect === 'read' && one.parameters.some((parameter) => parameter.name === asked.name)
      return one === operation || readsBySame ? [] : [{ operation: one, field, how: 'field' }]
    })
  }

  private findValueProducers(
    operation: InferredOperation,
    name: string,
    schema: FlatSchema,
  ): ValueProducer[] {
    const snake = toSnake(name)
    if (credentials.test(snake)) return []
    const asked = { name, schema, description: schema.description ?? '' }
    const [, ...words] = snake.split('_')
    const noun = [snake, words.join('_')]
      .map(singulariseName)
      .find((one) => one !== '' && this.byNoun.has(one))
    const byNoun = noun === undefined ? [] : this.findByNoun(operation, noun, asked, 'name')
    return sortProducers(byNoun.length > 0 ? byNoun : this.findByName(operation, asked, false))
  }

  private listQueryNeeds(operation: InferredOperation): InferredNeed[] {
    return operation.parameters.flatMap((parameter): InferredNeed[] => {
      const name = toSnake(parameter.name)
      const isAsked =
        (identityEnding.test(name) && name !== 'id') || (parameter.isRequired && !pagination.has(name))
      if (parameter.in !== 'query' || !isAsked) return []
      const schema = this.flatten(parameter.schema)
      if (schema.enum) return []
      const producers = this.findValueProducers(operation, parameter.name, schema)
      return parameter.isRequired || producers.length > 0
        ? [{ name: parameter.name, in: 'query', isRequired: parameter.isRequired, producers }]
        : []
    })
  }

  private listBodyNeeds(operation: InferredOperation): InferredNeed[] {
    const { fields } = operation.content ?? {}
    return [...(fields?.properties ?? [])].flatMap(([name, value]): InferredNeed[] => {
      const schema = this.flatten(value)
      const snake = toSnake(name)
      const isRequired = fields!.required.has(name)
      const isReference = identityEnding.test(snake) && snake !== 'id' && !snake.endsWith('key')
      const isNoun =
        isRequired && schema.type === 'string' && !schema.enum && this.byNoun.has(singulariseName(name))
      if (schema.isReadOnly || (!isReference && !isNoun)) return []
      return [{ name, in: 'body', isRequired, producers: this.findValueProducers(operation, name, schema) }]
    })
  }
}

/** The likeliest first: creators, then lists, on short paths. */
const sortProducers = (producers: readonly ValueProducer[]): ValueProducer[] =>
  producers
    .toSorted(
      (a, b) =>
        (rank[a.operation.effect] ?? 6) - (rank[b.operation.effect] ?? 6) ||
        countParameters(a.operation) - countParameters(b.operation),
    )
    .slice(0, mostProducers)
const countParameters = ({ segments }: InferredOperation) =>
  segments.filter((segment) => isParameter(segment)).length

/** Whether each of an operation's path parameters can come from somewhere. */
export const isProducible = ({ needs }: LinkedOperation): boolean =>
  needs.every((need) => need.in !== 'path' || need.producers.length > 0 || need.given !== undefined)
