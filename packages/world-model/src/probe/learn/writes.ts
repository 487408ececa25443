/** Fields that may be written, and clocks that writes move. */
import { isDeepStrictEqual } from 'node:util'
import { formatAsText, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { WorldType } from '../../model.ts'
import { getPathValue, parsePointer } from '../../pointer.ts'
import { isSuccess } from '../../request.ts'
import { findItem, learnBeside } from './answers.ts'
import { type MadeItem, type NamedOperation, clockStepMs, type ProbeContext } from './context.ts'

export async function learnWrite(probe: ProbeContext, name: string, write: NamedOperation): Promise<void> {
  const [id, operation] = write
  const type = probe.model.types[name]!
  const isUpdate = operation.effect === 'update'
  const candidates = Object.entries(type.fields)
    .filter(
      ([key, { refers }]) =>
        key !== type.identity.field && refers === undefined && !type.place?.includes(key),
    )
    .map(([key]) => key)
  const item = await probe.makeAnother(name)
  if (!item) return probe.dropOperation(id, 'no item to write could be made')
  const reader = probe.list(name, 'read')[0]
  await probe.host.pause(clockStepMs)
  const writes: string[] = []
  let before: JsonValue | undefined
  for (const key of candidates) {
    const content = isUpdate ? { [key]: probe.drawValue(name, key)! } : probe.drawBody(name, [key])
    if (content[key] === undefined) continue
    const { answer } = await probe.call(write, item.above, { target: item.id, content })
    if (!isSuccess(answer)) continue
    operation.status = answer.status
    let shown = findItem(answer.body, operation, type.identity.field)
    operation.answer.is = shown ? 'item' : 'none'
    learnBeside(operation, before ?? answer.body, answer.body)
    before = answer.body
    if (!shown && reader)
      shown = findItem(
        (await probe.call(reader, item.above, { target: item.id })).answer.body,
        reader[1],
        type.identity.field,
      )
    const isKept =
      !shown ||
      formatAsText(shown[key]) === formatAsText(content[key]) ||
      isDeepStrictEqual(shown[key], content[key])
    if (!isKept) continue
    writes.push(key)
    learnClocks(probe, type, name, item.values, shown)
  }
  if (writes.length === 0) return probe.dropOperation(id, 'no field could be written')
  operation.writes = writes
  probe.note('operations', id, 'writes')
  if (operation.effect === 'replace') await learnUpsert(probe, name, write, item)
}

function learnClocks(
  probe: ProbeContext,
  type: WorldType,
  name: string,
  before: JsonObject,
  after: JsonObject | undefined,
) {
  for (const [pointer, server] of Object.entries(type.server ?? {})) {
    const now = after && getPathValue(after, parsePointer(pointer))
    if (now === undefined || isDeepStrictEqual(now, getPathValue(before, parsePointer(pointer)))) continue
    if (server.from === 'clock') server.onWrite = true
    else if (server.from === 'constant' || server.from === 'token')
      type.server![pointer] = { from: 'anything' }
    probe.note('types', name, 'server', pointer)
  }
}

/** A replacement of something that is missing may create it. */
async function learnUpsert(
  probe: ProbeContext,
  name: string,
  write: NamedOperation,
  item: MadeItem,
): Promise<void> {
  const [id, operation] = write
  const { answer } = await probe.call(write, item.above, { content: probe.drawBody(name) })
  if (isSuccess(answer) && probe.model.types[name]!.identity.by !== 'server')
    operation.createsStatus = answer.status
  else delete operation.createsStatus
  probe.note('operations', id, 'createsStatus')
}
