/** Where an answer has its item or list, and what is around them. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { AnswerMember, WorldOperation } from '../../model.ts'
import { formatPointer, getPathValue, listLeaves } from '../../pointer.ts'

/** The item in an answer; corrects its place in the model. */
export function findItem(
  body: JsonValue | undefined,
  operation: WorldOperation,
  field: string,
): JsonObject | undefined {
  const { answer } = operation
  const now = getPathValue(body, answer.at ?? [])
  if (isRecord(now) && Object.hasOwn(now, field)) return now
  if (!isRecord(body)) return undefined
  if (Object.hasOwn(body, field)) {
    delete answer.at
    return body
  }
  const wrapped = Object.entries(body).find(([, value]) => isRecord(value) && Object.hasOwn(value, field))
  if (wrapped) answer.at = [wrapped[0]]
  return wrapped?.[1] as JsonObject | undefined
}

export function findList(body: JsonValue | undefined, operation: WorldOperation): JsonValue[] | undefined {
  const now = getPathValue(body, operation.answer.at ?? [])
  if (Array.isArray(now)) return now
  if (Array.isArray(body)) {
    delete operation.answer.at
    return body
  }
  const found = isRecord(body) ? Object.entries(body).find(([, value]) => Array.isArray(value)) : undefined
  if (found) operation.answer.at = [found[0]]
  return found?.[1] as JsonValue[] | undefined
}

/** Members around the item: equal ones are constants. */
export function learnBeside(
  operation: WorldOperation,
  first: JsonValue | undefined,
  second: JsonValue | undefined,
) {
  const at = operation.answer.at ?? []
  const beside = listBeside(first, at).map(([path, value]): [string, AnswerMember] => [
    formatPointer(path),
    isDeepStrictEqual(value, getPathValue(second, path)) ? { is: 'constant', value } : { is: 'anything' },
  ])
  if (beside.length > 0 && at.length > 0) operation.answer.beside = Object.fromEntries(beside)
}

/** Leaves of an answer outside of the item or the list. */
export function listBeside(body: JsonValue | undefined, at: readonly string[]): [string[], JsonValue][] {
  if (!isRecord(body) || at.length === 0) return []
  return listLeaves(body).filter(([path]) => path.length > 0 && !at.every((key, n) => path[n] === key))
}
