/** Fields that are unique, and the answer to a second item of the same. */
import type { LiveAnswer } from '../../request.ts'
import { type MadeItem, usualConflict, type ProbeContext } from './context.ts'

/** The same body again is refused, or gives the same item: which fields are unique? */
export async function learnDoubles(
  probe: ProbeContext,
  name: string,
  first: MadeItem,
  again: MadeItem | LiveAnswer,
): Promise<MadeItem | undefined> {
  const type = probe.model.types[name]!
  const [id, operation] = probe.findCreator(name)!
  let other: MadeItem | undefined
  const fields: string[] = []
  for (const key of Object.keys(first.sent)) {
    const field = type.fields[key]
    if (!field || field.refers !== undefined || field.enum || field.type === 'boolean') continue
    const changed = await probe.create(name, { ...first.sent, [key]: probe.drawValue(name, key)! })
    if (!('id' in changed) || changed.id === first.id) continue
    fields.push(key)
    other = changed
  }
  if (fields.length === 0) return undefined
  type.unique = { fields, equal: 'json' }
  probe.note('types', name, 'unique')
  if ('id' in again) {
    operation.existing = 'return'
    if (again.answer.status !== first.answer.status) operation.existingStatus = again.answer.status
  } else if (again.status !== usualConflict)
    operation.refuses = [...(operation.refuses ?? []), { unless: 'unique', status: again.status }]
  probe.note('operations', id, 'existing')
  return other
}
