/** Answers: items as the API shows them, in their envelope. */
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { AnswerMember, WorldModel } from '../model.ts'
import { formatPointer, parsePointer, setPathValue } from '../pointer.ts'
import type { ModelItem } from '../state.ts'
import { anyValue } from '../unknown.ts'
import { type CallScope, getIdentity } from './items.ts'

export interface PredictedAnswer {
  answer: JsonValue | undefined
  /** Pointers of lists in the answer whose order is unknown. */
  unordered: string[]
}
export const noAnswer: PredictedAnswer = { answer: undefined, unordered: [] }

/** The answer that shows one item. */
export function answerItem(model: WorldModel, scope: CallScope, item: ModelItem): PredictedAnswer {
  if (scope.operation.answer.is === 'none') return noAnswer
  return wrapAnswer(model, scope, showItem(model, scope, item), item)
}

/** The answer that lists items, which are in order of creation. */
export function answerItems(
  model: WorldModel,
  scope: CallScope,
  items: readonly ModelItem[],
): PredictedAnswer {
  const { operation, type } = scope
  if (operation.answer.is === 'none') return noAnswer
  const sorted =
    type.order === 'newest'
      ? items.toReversed()
      : type.order === 'touched'
        ? items.toSorted((a, b) => b.touched - a.touched || b.key - a.key)
        : items
  const shown = sorted.slice(0, operation.page).map((item) => showItem(model, scope, item))
  const wrapped = wrapAnswer(model, scope, shown, undefined, { all: items.length, shown: shown.length })
  return type.order === 'unknown' || operation.effect === 'delete-many'
    ? { ...wrapped, unordered: [formatPointer(operation.answer.at ?? [])] }
    : wrapped
}

function showItem(model: WorldModel, { operation, type }: CallScope, item: ModelItem): JsonValue {
  const { only, omits = [], told } = operation.answer
  if (told) return fillMembers(told, {}, { model, item })
  const names = only ?? Object.keys(item.values).filter((name) => !omits.includes(name))
  const shown: JsonObject = Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(item.values, name) ? [[name, item.values[name]!]] : [])),
  )
  return (type.masked ?? []).reduce(
    (value, pointer) => setPathValue(value, parsePointer(pointer), anyValue),
    shown,
  )
}

interface MemberSource {
  model: WorldModel
  item?: ModelItem | undefined
  parent?: ModelItem | undefined
  counts?: { all: number; shown: number } | undefined
}

function wrapAnswer(
  model: WorldModel,
  { operation, parents }: CallScope,
  inner: JsonValue,
  item?: ModelItem,
  counts?: MemberSource['counts'],
): PredictedAnswer {
  const { at = [], beside = {} } = operation.answer
  const answer = at.length === 0 ? inner : setPathValue({}, at, inner)
  const source = { model, item, counts, parent: parents[0] }
  return { answer: isRecord(answer) ? fillMembers(beside, answer, source) : answer, unordered: [] }
}

function fillMembers(
  members: Readonly<Record<string, AnswerMember>>,
  into: JsonObject,
  source: MemberSource,
): JsonObject {
  return Object.entries(members).reduce(
    (answer, [pointer, member]) => setPathValue(answer, parsePointer(pointer), makeMember(member, source)),
    into,
  )
}

function makeMember({ is, value }: AnswerMember, { model, item, parent, counts }: MemberSource): JsonValue {
  switch (is) {
    case 'constant':
      return (value ?? null) as JsonValue
    case 'identity':
      return item ? getIdentity(model, item) : anyValue
    case 'count':
      return counts?.all ?? anyValue
    case 'shown':
      return counts?.shown ?? anyValue
    case 'more':
      return counts ? counts.all > counts.shown : anyValue
    case 'template':
      return parent ? String(value).replaceAll('{parent}', String(getIdentity(model, parent))) : anyValue
    case 'anything':
      return anyValue
  }
}
