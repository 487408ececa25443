/** How other operations show an item. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@stateeval/contracts'
import type { WorldOperation, WorldType } from '../../model.ts'
import { formatPointer } from '../../pointer.ts'
import { isSuccess } from '../../request.ts'
import { findItem, learnBeside } from './answers.ts'
import type { NamedOperation, ProbeContext } from './context.ts'

export async function learnRead(probe: ProbeContext, name: string, read: NamedOperation): Promise<void> {
  const [id, operation] = read
  const type = probe.model.types[name]!
  const item = await probe.makeAnother(name)
  if (!item) return probe.dropOperation(id, 'no item to read could be made')
  const { answer } = await probe.call(read, item.above, { target: item.id })
  const shown = isSuccess(answer) ? findItem(answer.body, operation, type.identity.field) : undefined
  if (!shown) return probe.dropOperation(id, `the item could not be read: ${answer.status}`)
  operation.status = answer.status
  learnBeside(operation, answer.body, answer.body)
  compareShown(type, operation, item.values, shown)
  probe.note('operations', id, 'answer')
}

/** What another operation shows of an item that its creation showed otherwise. */
export function compareShown(
  type: WorldType,
  operation: WorldOperation,
  made: JsonObject,
  shown: JsonObject,
) {
  if (Object.keys(made).length === 0) return
  const mask = (key: string) => {
    const pointer = formatPointer([key])
    if (key !== type.identity.field && !type.masked?.includes(pointer))
      type.masked = [...(type.masked ?? []), pointer]
  }
  for (const key of new Set([...Object.keys(made), ...Object.keys(shown)]))
    if (!Object.hasOwn(shown, key)) operation.answer.omits = [...(operation.answer.omits ?? []), key]
    else if (!isDeepStrictEqual(made[key], shown[key])) mask(key)
}
