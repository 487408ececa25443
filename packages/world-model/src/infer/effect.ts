/**
 * The effect of an operation on a type, by its method, its path, and the words of its names. Each rule gives
 * its reason, and how often it was right in a check by hand.
 */
import type { CallEffect } from '../model.ts'
import {
  type ApiOperation,
  formatPathForm,
  getParameterName,
  isParameter,
  type PathIndex,
} from './operation.ts'
import type { FlatSchema, FlattenSchema } from './schema.ts'
import { type AnswerShape, inferShape, listIdWords } from './shape.ts'
import { getVerbKind, isPlural, singulariseName, splitName, type VerbKind } from './words.ts'

/** Effects that a document may have; a model predicts only some of them. */
export type InferredEffect = CallEffect | 'link' | 'unlink' | 'check' | 'set' | 'unset' | 'action' | 'derive'
/** Effects on the state that a state machine can follow. */
export const stateEffects: ReadonlySet<InferredEffect> = new Set([
  'create',
  'read',
  'list',
  'search',
  'update',
  'replace',
  'delete',
  'delete-many',
  'link',
  'unlink',
  'check',
  'set',
  'unset',
])

export interface InferredOperation extends ApiOperation {
  effect: InferredEffect
  reason: string
  confidence: number
  /** The singular of the type. */
  noun: string
  /** The form of the path of the collection. */
  collection: string
  /** Parameters that separate collections, after the type's segment. */
  partition: readonly string[]
  /** The path ends with the name of an item. */
  isItemPath: boolean
  /** It acts on the one thing of its path, which has no id. */
  isSingleton: boolean
  shape: AnswerShape
  /** The fields of the body, and where they lie in it. */
  content?: { fields: FlatSchema; at: readonly string[] }
}

interface EffectChoice {
  effect: InferredEffect
  reason: string
  confidence: number
  /** The segment that names the type, where it isn't the last fixed one. */
  segment?: string
  isSingleton?: boolean
}
const choose = (
  effect: InferredEffect,
  reason: string,
  confidence = 0.95,
  segment?: string,
): EffectChoice => ({
  effect,
  reason,
  confidence,
  ...(segment !== undefined && { segment }),
})

/** What the rules look at. */
interface OperationView {
  operation: ApiOperation
  index: PathIndex
  flatten: FlattenSchema
  shape: AnswerShape
  segments: readonly string[]
  last: string
  lastWords: readonly string[]
  idWords: readonly string[]
  /** The kind of the first word of the id. */
  verb: VerbKind | undefined
  endsInParameter: boolean
  isPartition: boolean
  hasItems: boolean
  isBelowItem: boolean
}
const listFixed = (segments: readonly string[]) => segments.filter((segment) => !isParameter(segment))

/** Infers the effect of one operation. */
export function inferEffect(
  operation: ApiOperation,
  index: PathIndex,
  flatten: FlattenSchema,
): InferredOperation {
  const { segments } = operation
  const last = segments.at(-1) ?? ''
  const fixed = listFixed(segments)
  const idWords = listIdWords(operation.id)
  const isPartition = isParameter(last) && isParameter(segments.at(-2)) && index.hasItems(segments)
  const view: OperationView = {
    operation,
    index,
    flatten,
    shape: inferShape(flatten, operation.answer, singulariseName(fixed.at(-1) ?? '')),
    segments,
    last,
    lastWords: splitName(last),
    idWords,
    verb: getVerbKind(idWords[0]),
    endsInParameter: isParameter(last) && !isPartition,
    isPartition,
    hasItems: index.hasItems(segments),
    isBelowItem: isParameter(segments.at(-2)),
  }
  const choice = index.isProcedural ? chooseByVerb(view) : chooseByMethod(view)
  return describeOperation(view, choice)
}

function describeOperation(view: OperationView, choice: EffectChoice): InferredOperation {
  const { operation, flatten, segments, index } = view
  const segment = choice.segment ?? listFixed(segments).at(-1) ?? ''
  const noun = singulariseName(segment) || 'root'
  const end = index.isProcedural ? segments.length : segments.lastIndexOf(segment) + 1
  const partition = findPartition(index, segments, end)
  const shape = unwrapItem(
    flatten,
    operation.answer,
    choice.effect,
    inferShape(flatten, operation.answer, noun),
  )
  const content = inferContent(flatten, operation, noun, shape)
  return {
    ...operation,
    effect: choice.effect,
    reason: choice.reason,
    confidence: choice.confidence,
    noun,
    collection: index.isProcedural ? segment : formatPathForm(segments.slice(0, end + partition.length)),
    partition: partition.map((one) => getParameterName(one) ?? one),
    isItemPath: view.endsInParameter,
    isSingleton: choice.isSingleton === true,
    shape,
    ...(content && { content }),
  }
}

/** Parameters after the type, of which further parameters name the items: `/secrets/{org}/{name}`. */
function findPartition(index: PathIndex, segments: readonly string[], end: number): readonly string[] {
  for (let length = segments.length - end; length >= 2; length--) {
    const rest = segments.slice(end, end + length)
    if (rest.every((segment) => isParameter(segment)) && index.hasItems(segments.slice(0, end + length)))
      return rest
  }
  return []
}

/** An item whose only list is a field of it, and no list of items. */
function unwrapItem(
  flatten: FlattenSchema,
  answer: unknown,
  effect: InferredEffect,
  shape: AnswerShape,
): AnswerShape {
  if (shape.is !== 'list' || shape.at.length < 2) return shape
  if (!['read', 'create', 'update', 'replace', 'set'].includes(effect)) return shape
  const at = shape.at.slice(0, -1)
  const item = at.reduce<unknown>((schema, key) => flatten(schema).properties.get(key), answer)
  return { is: 'item', at, item: flatten(item) }
}

/** The fields of the body, in the envelope that body and answer share. */
function inferContent(
  flatten: FlattenSchema,
  { body }: ApiOperation,
  noun: string,
  { at }: AnswerShape,
): InferredOperation['content'] {
  if (!body) return undefined
  const fields = flatten(body.schema)
  const [only, ...others] = fields.properties.keys()
  const isWrapped = only !== undefined && others.length === 0 && ['data', noun].includes(only)
  const name = isWrapped ? only : at.length === 1 && fields.properties.has(at[0]!) ? at[0]! : undefined
  if (name === undefined) return { fields, at: [] }
  const inner = flatten(fields.properties.get(name))
  return ['object', undefined].includes(inner.type) ? { fields: inner, at: [name] } : { fields, at: [] }
}

/** Procedures: `/users.list`, `/item/get`. */
function chooseByVerb({ segments, last, lastWords, idWords, shape }: OperationView): EffectChoice {
  const dotted = last.includes('.') ? last.split('.') : undefined
  const words = [...(dotted ? splitName(dotted.at(-1)!) : lastWords), ...idWords]
  const verb = words.find((word) => getVerbKind(word))
  const kind = getVerbKind(verb)
  const above = segments.slice(0, -1)
  const segment = dotted
    ? dotted.slice(0, -1).join('_')
    : above.length > 0
      ? (getVerbKind(lastWords[0]) ? above.at(-1)! : above.join('_')) || last
      : last
  const effect =
    kind === 'read' && shape.is === 'list' && !idWords.includes('info') ? 'list' : (kind ?? 'action')
  return choose(effect, `the verb ${verb ?? 'of no known kind'} of a procedure`, verb ? 0.85 : 0.5, segment)
}

function chooseByMethod(view: OperationView): EffectChoice {
  switch (view.operation.method) {
    case 'GET':
      return chooseForGet(view)
    case 'POST':
      return chooseForPost(view)
    case 'PUT':
      return chooseForPut(view)
    case 'PATCH':
      return view.endsInParameter
        ? choose('update', 'PATCH on an item')
        : view.hasItems && isPlural(view.last)
          ? choose('action', 'PATCH on a collection changes many items', 0.7)
          : { ...choose('set', 'PATCH on the one thing of the path', 0.9), isSingleton: true }
    case 'DELETE':
      return chooseForDelete(view)
  }
}

const isSearching = (word: string | undefined) => getVerbKind(word) === 'search'
const getAbove = (segments: readonly string[]) => listFixed(segments).at(-2)

function chooseForGet(view: OperationView): EffectChoice {
  const { operation, segments, last, lastWords, idWords, shape, hasItems, verb } = view
  if (view.endsInParameter) {
    const name = getParameterName(last)
    const isFilter = shape.is === 'list' && shape.at.length === 0 && !shape.item?.properties.has(name ?? '')
    if (isFilter) return choose('list', 'GET with a list as answer', 0.8)
    if (shape.is !== 'none' || segments.length < 4) return choose('read', 'GET on an item')
    const text = `${operation.id} ${operation.summary}`
    return /download|archive|export|content|media/i.test(text) ||
      (verb === 'read' && idWords[0] !== 'check' && operation.statuses.includes('302'))
      ? choose('read', 'GET of a content', 0.8)
      : choose('check', 'GET on a member without an answer', 0.85)
  }
  if (view.isPartition) return choose('list', 'GET on a collection with several keys', 0.85)
  if (isSearching(lastWords[0]) || isSearching(lastWords.at(-1)) || verb === 'search') {
    const isBare = !hasItems && isSearching(lastWords[0]) && segments.length > 1
    const segment = isBare ? (getAbove(segments) ?? last) : undefined
    return choose(shape.is === 'scalar' ? 'read' : 'search', 'GET with a word for searching', 0.85, segment)
  }
  if (shape.is === 'list') return choose('list', 'GET with a list as answer')
  if (hasItems && (shape.is !== 'item' || isPlural(last)))
    return choose('list', 'GET on a path with items below', 0.85)
  if (verb === 'list') return choose('list', 'GET with a name that begins with list', 0.85)
  if (shape.is === 'none' || shape.is === 'scalar')
    return choose('derive', 'GET without an object as answer', 0.7)
  return { ...choose('read', 'GET on the one thing of the path', 0.85), isSingleton: true }
}

const linkPrefix = /^(?:add|remove|set|insert|duplicate|instantiate)(?=[A-Z]|$)/

function chooseForPost(view: OperationView): EffectChoice {
  const { segments, last, lastWords, idWords, shape, index, hasItems, isBelowItem, verb } = view
  const above = getAbove(segments) ?? last
  const isVerb =
    !view.endsInParameter && getVerbKind(lastWords[0]) !== undefined && !isPlural(last) && !hasItems
  const prefix = !view.endsInParameter && isBelowItem ? linkPrefix.exec(last)?.[0] : undefined
  if (prefix !== undefined)
    return choose(
      prefix === 'add' ? 'link' : prefix === 'remove' ? 'unlink' : 'action',
      `POST on ${prefix}…`,
      0.8,
      above,
    )
  if (/^(?:insert|move)$/.test(last)) return choose('action', `POST on ${last}`, 0.8, above)
  if (view.endsInParameter) {
    if (verb === 'action') return choose('action', 'POST on an item with a verb', 0.8)
    if (verb === 'delete') return choose('delete', 'POST on an item with a word for deleting', 0.85)
    if (verb === 'create' && index.hasItems(segments.slice(0, -1)) && index.find(segments, 'PUT'))
      return choose('create', 'POST on an item with a word for creating', 0.7)
    return choose('update', 'POST on an item', 0.85)
  }
  if (isSearching(lastWords[0]) || isSearching(lastWords.at(-1)) || isSearching(idWords[0]))
    return choose('search', 'POST with a word for searching', 0.85, segments.length > 1 ? above : undefined)
  if (view.isPartition || hasItems) return choose('create', 'POST on a path with items below')
  if (index.find(segments, 'GET') && isPlural(last) && !isVerb)
    return choose('create', 'POST on a collection that can be listed', 0.9)
  if (isVerb) {
    const isSearch = segments.slice(0, -1).some((segment) => isSearching(segment)) && shape.is === 'list'
    if (isSearch) return choose('search', 'POST below a word for searching', 0.75, above)
    const kind = getVerbKind(lastWords[0])!
    const isKnown = ['create', 'delete', 'update', 'link', 'unlink'].includes(kind)
    const effect = isKnown && !(kind === 'create' && isBelowItem) ? kind : 'action'
    return choose(effect, `POST on the verb ${last}`, 0.8, above)
  }
  if (isPlural(last) && (verb === undefined || verb === 'create'))
    return shape.is === 'list' && isBelowItem && idWords[0] !== 'create'
      ? choose('link', 'POST on a plural that answers with a list', 0.7)
      : choose('create', 'POST on a plural', 0.85)
  if (
    isBelowItem &&
    !isPlural(last) &&
    !index.find(segments, 'GET') &&
    (verb !== 'create' || idWords[0] === 'post')
  )
    return choose('action', 'POST on a word below an item', 0.75)
  if (verb === 'create') return choose('create', 'POST with a word for creating', 0.8)
  if (verb === 'update' || verb === 'delete' || verb === 'link' || verb === 'unlink')
    return choose(verb, `POST with a word for ${verb}`, 0.75)
  if (
    !isBelowItem &&
    shape.item?.properties.has('id') &&
    (segments.length === 1 || !idWords.some(getVerbKind))
  )
    return choose('create', 'POST that answers with an id', 0.75)
  return choose('action', 'POST without a word for a known effect', 0.6)
}

const partial =
  /only the fields|partial|fields provided|provided in the .data. block|not specified will remain|omitted|leave.*unchanged/i

/** Without a body or an answer, on a path with two items: a member is put into a group. */
function isMembership({ body, answer, segments }: ApiOperation, { index, flatten }: OperationView): boolean {
  const fixed = listFixed(segments).at(-1) ?? ''
  const hasOwner = segments.slice(0, segments.lastIndexOf(fixed)).some((segment) => isParameter(segment))
  const fields = body ? flatten(body.schema).properties.size : 0
  return hasOwner && !index.find(segments, 'PATCH') && fields <= 2 && (!body || answer === undefined)
}

function chooseForPut(view: OperationView): EffectChoice {
  const { operation, hasItems, last, verb } = view
  if (view.endsInParameter) {
    if (isMembership(operation, view)) return choose('link', 'PUT on a member without fields', 0.8)
    return partial.test(operation.description)
      ? choose('update', 'PUT whose description says that fields may be left out', 0.85)
      : choose('replace', 'PUT on an item')
  }
  if (!hasItems && (verb === 'action' || verb === 'link') && !operation.body)
    return choose('action', 'PUT with a verb and no body', 0.75)
  return hasItems && isPlural(last)
    ? choose('action', 'PUT on a collection replaces many items', 0.7)
    : { ...choose('set', 'PUT on the one thing of the path', 0.9), isSingleton: true }
}

function chooseForDelete(view: OperationView): EffectChoice {
  const { segments, index, hasItems, last } = view
  if (view.endsInParameter) {
    const put = index.find(segments, 'PUT')
    return put && isMembership(put, view)
      ? choose('unlink', 'DELETE on a member', 0.8)
      : choose('delete', 'DELETE on an item')
  }
  return hasItems || isPlural(last)
    ? choose('delete-many', 'DELETE on a collection', 0.85)
    : { ...choose('unset', 'DELETE on the one thing of the path', 0.85), isSingleton: true }
}
