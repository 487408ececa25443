/** A model of what inference found, with a reason for each statement, and what of the document it lacks. */
import type { SpecificationDocument } from '@stateeval/openapi'
import { listAddresses } from '@stateeval/openapi'
import {
  effects,
  fieldTypes,
  type ServerField,
  type WorldFact,
  type WorldField,
  type WorldModel,
  type WorldOperation,
  type WorldType,
} from '../model.ts'
import { formatPointer } from '../pointer.ts'
import { findIdentityField } from './identity.ts'
import { inferApi, type InferredApi } from './infer.ts'
import type { LinkedOperation } from './links.ts'
import { type DroppedPart, getParameterName, isParameter } from './operation.ts'
import type { FlatSchema, FlattenSchema } from './schema.ts'
import { splitName, toSnake } from './words.ts'

export interface InferredWorld {
  model: WorldModel
  dropped: readonly DroppedPart[]
  api: InferredApi
}

/** Infers a model. What cannot be modelled is dropped with its reason. */
export function inferWorld(document: SpecificationDocument): InferredWorld {
  const api = inferApi(document)
  const builder = new ModelBuilder(api)
  const { title } = (document.root['info'] ?? {}) as { title?: unknown }
  const model = builder.build(typeof title === 'string' && title !== '' ? title.slice(0, 200) : 'API')
  const [address] = listAddresses(document.root['servers'], 'http://localhost')
  const base = address === undefined ? '' : new URL(address).pathname.replace(/\/$/, '')
  return {
    model: { ...model, ...(base !== '' && { base }) },
    dropped: [...api.dropped, ...builder.dropped],
    api,
  }
}

interface CollectionGroup {
  name: string
  collection: string
  /** Parameters that separate collections and are fields of the items. */
  place: readonly string[]
  /** The collection whose items are above; null at the top. */
  above: string | null
  operations: LinkedOperation[]
  creator: LinkedOperation
  item: FlatSchema
}
const formatOperation = ({ method, path }: LinkedOperation) => `${method} ${path}`
const isModelled = (effect: string): effect is WorldOperation['effect'] =>
  (effects as readonly string[]).includes(effect)

class ModelBuilder {
  readonly dropped: DroppedPart[] = []
  private readonly facts: Record<string, WorldFact> = {}
  private readonly groups = new Map<string, CollectionGroup>()
  private readonly operations: readonly LinkedOperation[]
  private readonly flatten: FlattenSchema

  constructor({ operations, flatten }: InferredApi) {
    this.operations = operations
    this.flatten = flatten
  }

  build(title: string): WorldModel {
    this.groupByCollection()
    this.dropOrphans()
    const types: Record<string, WorldType> = {}
    const operations: Record<string, WorldOperation> = {}
    for (const group of this.groups.values()) types[group.name] = this.buildType(group)
    for (const group of this.groups.values())
      for (const operation of group.operations) {
        const built = this.buildOperation(group, types[group.name]!, operation)
        if (built) operations[operation.id] = built
      }
    return { schema: 'stateeval-world/1', title, types, operations, facts: this.facts }
  }

  private drop(what: string, reason: string) {
    this.dropped.push({ what, reason })
  }
  private note(path: readonly string[], fact: Omit<WorldFact, 'confirmed'>) {
    this.facts[formatPointer(path)] = { ...fact, confirmed: 0 }
  }

  /** Types are the collections whose items can be made and seen. */
  private groupByCollection() {
    const byCollection = Map.groupBy(this.operations, ({ collection }) => collection)
    const names = new Set<string>()
    for (const [collection, all] of byCollection) {
      const creator =
        all.find(({ effect }) => effect === 'create') ?? all.find(({ effect }) => effect === 'replace')
      const reader = all.find(({ effect, isSingleton }) => effect === 'read' && !isSingleton)
      const lister = all.find(({ effect }) => effect === 'list')
      const reason = !creator
        ? 'nothing creates its items'
        : !reader && !lister
          ? 'nothing shows its items'
          : undefined
      if (reason !== undefined) {
        this.dropAll(all, `${reason}: ${collection}`)
        continue
      }
      const name = chooseTypeName(creator!.noun, collection, names)
      const place = creator!.partition
      const item = [reader, creator, lister].find((one) => one?.shape.item?.properties.size)?.shape.item
      if (place.some((one) => item?.properties.has(one) !== true)) {
        this.dropAll(
          all,
          `several parameters name one collection, and no fields are named like them: ${collection}`,
        )
        continue
      }
      names.add(name)
      this.groups.set(collection, {
        name,
        collection,
        place,
        above: getCollectionAbove(collection, place.length),
        operations: all,
        creator: creator!,
        item: item ?? this.flatten(undefined),
      })
    }
  }
  private dropAll(operations: readonly LinkedOperation[], reason: string) {
    for (const operation of operations) this.drop(formatOperation(operation), reason)
  }

  /** Types below something that is no type cannot be addressed. */
  private dropOrphans() {
    for (let before = -1; before !== this.groups.size;) {
      before = this.groups.size
      for (const [collection, group] of this.groups) {
        const { above } = group
        if (above === null || this.groups.get(above)?.place.length === 0) continue
        this.dropAll(group.operations, `what is above is no modelled type: ${above}`)
        this.groups.delete(collection)
      }
    }
  }

  private buildType(group: CollectionGroup): WorldType {
    const { name, collection, place, above, creator, item } = group
    const at = ['types', name]
    const sent = creator.content?.fields ?? this.flatten(undefined)
    const identity = this.inferIdentity(group)
    const fields = Object.fromEntries(
      [...sent.properties].flatMap(([key, schema]) => {
        const field = this.flatten(schema)
        return field.isReadOnly
          ? []
          : [[key, this.buildField(creator, key, field, sent.required.has(key))] as const]
      }),
    )
    for (const one of place) {
      const parameter = creator.parameters.find((declared) => declared.in === 'path' && declared.name === one)
      fields[one] = this.buildField(creator, one, this.flatten(parameter?.schema), false)
    }
    const server = Object.fromEntries(
      [...item.properties.keys()]
        .filter((key) => key !== identity.field && !Object.hasOwn(fields, key))
        .map((key): [string, ServerField] => [formatPointer([key]), { from: guessOrigin(key) }]),
    )
    this.note(at, { by: 'rule', confidence: 0.9, reason: `the collection ${collection}` })
    this.note([...at, 'fields'], { by: 'spec', reason: `the body of ${formatOperation(creator)}` })
    this.note([...at, 'order'], {
      by: 'rule',
      confidence: 0.4,
      reason: 'most lists are in order of creation',
    })
    this.note([...at, 'identity'], { by: 'rule', confidence: identity.confidence, reason: identity.reason })
    if (Object.keys(server).length > 0)
      this.note([...at, 'server'], {
        by: 'rule',
        confidence: 0.5,
        reason: 'fields of answers that no body has',
      })
    return {
      noun: splitName(name).join(' ').slice(0, 200),
      plural: splitName(
        collection
          .split('/')
          .filter((part) => part !== '{}')
          .at(-1) ?? name,
      ).join(' '),
      ...(place.length > 0 && { place: [...place] }),
      ...(above !== null && { parent: this.groups.get(above)!.name }),
      identity: { field: identity.field, by: identity.by },
      fields,
      ...(Object.keys(server).length > 0 && { server }),
      order: 'insertion',
    }
  }

  private inferIdentity({ operations, creator, item }: CollectionGroup) {
    const onItem = operations.find(({ isItemPath }) => isItemPath)
    const name = getParameterName(onItem?.segments.at(-1)) ?? 'id'
    const parameter = onItem?.parameters.find((one) => one.in === 'path' && one.name === name)
    const asked = {
      name,
      schema: this.flatten(parameter?.schema),
      description: parameter?.description ?? '',
    }
    const found = findIdentityField(this.flatten, item, creator.noun, asked)
    const field = found !== null && !found.includes('.') ? found : 'id'
    const sent = creator.content?.fields
    const isSent = sent?.properties.has(field) && !this.flatten(sent.properties.get(field)).isReadOnly
    const by =
      creator.effect === 'replace' || (isSent && sent!.required.has(field))
        ? 'client'
        : isSent
          ? 'either'
          : 'server'
    return {
      field,
      by,
      confidence: found === field ? 0.9 : 0.5,
      reason: found === field ? `{${name}} of the path is this field` : `no field of the answer is {${name}}`,
    } as const
  }

  private buildField(
    creator: LinkedOperation,
    key: string,
    field: FlatSchema,
    isRequired: boolean,
  ): WorldField {
    const need = creator.needs.find((one) => one.in === 'body' && one.name === key)
    const [producer] = need?.producers ?? []
    const refers = producer && this.groups.get(producer.operation.collection)?.name
    const type = fieldTypes.find((one) => one === field.type) ?? 'any'
    const items = fieldTypes.find((one) => one === this.flatten(field.items).type)
    const values = field.enum?.slice(0, 500)
    return {
      type,
      ...(field.format !== undefined && field.format !== '' && { format: field.format.slice(0, 200) }),
      ...(values && values.length > 0 && { enum: [...values] }),
      ...(type === 'array' && items && { items }),
      ...(isRequired && { required: true as const }),
      ...(field.default !== undefined && field.default !== null && { default: field.default }),
      ...(field.example !== undefined && !refers && { examples: [field.example] }),
      ...(refers !== undefined && { refers }),
      ...pickBounds(field),
    }
  }

  private buildOperation(
    group: CollectionGroup,
    type: WorldType,
    operation: LinkedOperation,
  ): WorldOperation | null {
    const { effect, segments, method, shape, content, isItemPath } = operation
    const refuse = (reason: string) => {
      this.drop(formatOperation(operation), reason)
      return null
    }
    if (!isModelled(effect)) return refuse(`the effect ${effect} is not modelled (${operation.reason})`)
    if (operation.isSingleton) return refuse('one thing of a path has no items')
    if (effect === 'search') return refuse('the rule of the search is unknown')
    const names = segments
      .filter((segment) => isParameter(segment))
      .map((segment) => getParameterName(segment)!)
    const places = group.place.length
    const above = group.collection.split('/').filter((part) => part === '{}').length - places
    const needsItem = ['read', 'update', 'replace', 'delete'].includes(effect)
    if (names.length !== above + places + (needsItem ? 1 : 0) || needsItem !== isItemPath)
      return refuse('its path names more, or less, than the types above')
    if (
      new Set(names).size !== names.length ||
      segments.some((segment) => isParameter(segment) && !/^\{[^{}]+\}$/.test(segment))
    )
      return refuse('a part of its path is more than one parameter')
    const needsContent = ['create', 'update', 'replace'].includes(effect)
    if (needsContent && effect !== 'create' && !content) return refuse('it has no fields to write')
    const filters = effect === 'list' ? this.inferFilters(type, operation) : {}
    const query = Object.keys(filters)
    const is = ['list', 'delete-many'].includes(effect) ? 'list' : 'item'
    const hasAnswer =
      shape.is !== 'none' && shape.is !== 'scalar' && (effect !== 'delete-many' || shape.is === 'list')
    const status = Number(operation.statuses.filter((one) => /^2\d\d$/.test(one)).sort()[0] ?? 200)
    const at = ['operations', operation.id]
    this.note(at, { by: 'spec', reason: formatOperation(operation) })
    this.note([...at, 'effect'], { by: 'rule', confidence: operation.confidence, reason: operation.reason })
    this.note([...at, 'answer'], { by: 'rule', confidence: 0.9, reason: 'the schema of the answer' })
    const argument = names.includes('body') ? 'content' : 'body'
    return {
      effect,
      type: group.name,
      ...(operation.summary !== '' && { about: operation.summary.slice(0, 300) }),
      request: {
        kind: 'http',
        method,
        path: operation.path.split('?', 1)[0]!,
        ...(query.length > 0 && { query }),
        ...(needsContent &&
          content && {
            body: {
              argument,
              ...(content.at.length > 0 && { at: [...content.at] }),
              media: operation.body!.media.includes('form') ? ('form' as const) : ('json' as const),
            },
          }),
      },
      ...(above > 0 && { parents: names.slice(0, above) }),
      ...(needsItem && { target: names[above + places]! }),
      ...(needsContent && content && { content: { argument } }),
      ...(query.length > 0 && { filters }),
      status,
      answer: hasAnswer ? { is, ...(shape.at.length > 0 && { at: [...shape.at] }) } : { is: 'none' },
      ...(effect === 'replace' &&
        group.creator.effect === 'replace' && {
          createsStatus: operation.statuses.includes('201') ? 201 : status,
        }),
    }
  }

  /** Query parameters that are named like fields of the type. */
  private inferFilters(type: WorldType, { parameters }: LinkedOperation): Record<string, string> {
    const fields = new Map(Object.keys(type.fields).map((name) => [toSnake(name), name]))
    return Object.fromEntries(
      parameters.flatMap(({ in: where, name }) => {
        const field = where === 'query' ? fields.get(toSnake(name)) : undefined
        return field === undefined ? [] : [[name, field]]
      }),
    )
  }
}

/** A name that no other type has: the noun, else with the words of the path before it. */
function chooseTypeName(noun: string, collection: string, taken: ReadonlySet<string>): string {
  if (!taken.has(noun)) return noun
  const whole = splitName(collection).join('_')
  for (let n = 1; ; n++) {
    const name = n === 1 ? whole : `${whole}_${n}`
    if (!taken.has(name)) return name
  }
}

/** The collection whose items are above those of this one; null at the top. */
function getCollectionAbove(collection: string, places: number): string | null {
  const parts = collection.split('/')
  const own = parts.slice(0, parts.length - places)
  const at = own.lastIndexOf('{}')
  return at < 0 ? null : own.slice(0, at).join('/')
}

const clockName = /(?:^|_)(?:at|on|date|time|timestamp|modified|updated|created)$/
const guessOrigin = (name: string): ServerField['from'] =>
  clockName.test(toSnake(name)) ? 'clock' : 'anything'

function pickBounds({ minimum, maximum, minLength, maxLength }: FlatSchema) {
  const isLength = (value: number | undefined) => value !== undefined && Number.isInteger(value) && value >= 0
  return {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(isLength(minLength) && { minLength: minLength! }),
    ...(isLength(maxLength) && { maxLength: maxLength! }),
  }
}
