/** The fate of what refers to a deleted item. */
import { isSuccess } from '../../request.ts'
import { findItem } from './answers.ts'
import type { MadeItem, ProbeContext } from './context.ts'

/** The fate of what refers to a deleted item. */
export async function learnReferences(probe: ProbeContext, name: string): Promise<void> {
  const read = probe.list(name, 'read')[0]
  for (const [key, field] of Object.entries(probe.model.types[name]?.fields ?? {})) {
    const remove = field.refers === undefined ? undefined : probe.list(field.refers, 'delete')[0]
    if (!read || !remove || field.refers === name) continue
    const before = probe.made.get(field.refers!)!
    const referent = await probe.makeAnother(field.refers!)
    if (!referent) continue
    probe.made.set(field.refers!, referent)
    const item = await probe.create(name, probe.drawBody(name, [key]))
    probe.made.set(field.refers!, before)
    if (!('id' in item)) continue
    const { answer } = await probe.call(remove, referent.above, { target: referent.id })
    if (!isSuccess(answer)) {
      probe.dropOperation(remove[0], `what refers to an item keeps it from being deleted: ${answer.status}`)
      continue
    }
    const { answer: after } = await probe.call(read, item.above, { target: item.id })
    const shown = isSuccess(after)
      ? findItem(after.body, read[1], probe.model.types[name]!.identity.field)
      : undefined
    if (!isSuccess(after)) field.whenGone = (await isSwept(probe, name, key, referent)) ? 'sweep' : 'delete'
    else if (shown && (shown[key] ?? null) === null) field.whenGone = 'clear'
    else delete field.whenGone
    probe.note('types', name, 'fields', key)
  }
}

/** Whether a later deletion takes an item that was created with a reference to one that is gone. */
async function isSwept(
  probe: ProbeContext,
  name: string,
  key: string,
  { id: gone }: MadeItem,
): Promise<boolean> {
  const read = probe.list(name, 'read')[0]!
  const { refers = '' } = probe.model.types[name]!.fields[key]!
  const other = await probe.makeAnother(refers)
  const item = await probe.create(name, { ...probe.drawBody(name, [key]), [key]: gone })
  if (!other || !('id' in item)) return false
  const readItem = async () => (await probe.call(read, item.above, { target: item.id })).answer
  if (!isSuccess(await readItem())) return false
  await probe.call(probe.list(refers, 'delete')[0]!, other.above, { target: other.id })
  return !isSuccess(await readItem())
}
