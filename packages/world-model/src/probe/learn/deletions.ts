/** Deletions: what they answer, and which status follows. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type JsonValue } from '@stateeval/contracts'
import type { AnswerMember, WorldOperation } from '../../model.ts'
import { formatPointer, listLeaves } from '../../pointer.ts'
import { isSuccess, type LiveAnswer } from '../../request.ts'
import { findItem, findList } from './answers.ts'
import { type MadeItem, type NamedOperation, usualMissing, type ProbeContext } from './context.ts'

export async function learnDelete(probe: ProbeContext, name: string, remove: NamedOperation): Promise<void> {
  const [id, operation] = remove
  const item = await probe.makeAnother(name)
  if (!item) return probe.dropOperation(id, 'no item to delete could be made')
  const { answer } = await probe.call(remove, item.above, { target: item.id })
  if (!isSuccess(answer)) return probe.dropOperation(id, `the item could not be deleted: ${answer.status}`)
  operation.status = answer.status
  learnTold(probe, name, operation, answer, item)
  const again = await probe.call(remove, item.above, { target: item.id })
  if (isSuccess(again.answer)) return probe.dropOperation(id, 'a deleted item can be deleted again')
  for (const other of probe.list(name, 'read', 'update', 'delete')) {
    const { answer: gone } =
      other[0] === id
        ? again
        : await probe.call(other, item.above, {
            target: item.id,
            content: probe.drawBody(name, other[1].writes?.slice(0, 1)),
          })
    if (isSuccess(gone)) return probe.dropOperation(id, `${other[0]} still works on a deleted item`)
    if (gone.status !== usualMissing)
      other[1].refuses = [{ unless: 'found', status: gone.status }, ...(other[1].refuses ?? [])]
  }
  probe.note('operations', id, 'status')
}

/** What the answer tells of items that are gone. */
function learnTold(
  probe: ProbeContext,
  name: string,
  operation: WorldOperation,
  { body }: LiveAnswer,
  item: MadeItem,
) {
  const { answer } = operation
  const { field } = probe.model.types[name]!.identity
  delete answer.told
  delete answer.at
  if (body === undefined) {
    answer.is = 'none'
    return
  }
  answer.is = 'item'
  const whole = findItem(body, operation, field)
  if (whole && isDeepStrictEqual(whole, item.values)) return
  delete answer.at
  answer.told = listTold(body, item)
}

export async function learnClear(probe: ProbeContext, name: string, clear: NamedOperation): Promise<void> {
  const [id, operation] = clear
  const item = await probe.makeAnother(name)
  if (!item) return probe.dropOperation(id, 'no item to delete could be made')
  const { answer } = await probe.call(clear, item.above)
  if (!isSuccess(answer))
    return probe.dropOperation(id, `the collection could not be cleared: ${answer.status}`)
  operation.status = answer.status
  operation.answer = { is: 'none' }
  const items = answer.body === undefined ? undefined : findList(answer.body, operation)
  if (answer.body !== undefined && !items)
    return probe.dropOperation(id, 'its answer is no list of what is gone')
  const shown = items?.find(
    (one) => isRecord(one) && one[probe.model.types[name]!.identity.field] === item.id,
  )
  if (!items) return
  if (!shown) return probe.dropOperation(id, 'its answer does not show what is gone')
  operation.answer.is = 'list'
  operation.answer.told = listTold(shown, item)
}

/** Members that tell of an item that is gone. */
const listTold = (body: JsonValue, item: MadeItem): Record<string, AnswerMember> =>
  Object.fromEntries(
    listLeaves(body)
      .filter(([path]) => path.length > 0)
      .map(([path, value]): [string, AnswerMember] => [
        formatPointer(path),
        value === item.id
          ? { is: 'identity' }
          : typeof value === 'number' && value > 1e8
            ? { is: 'anything' }
            : { is: 'constant', value },
      ]),
  )
