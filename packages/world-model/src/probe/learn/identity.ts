/** Whether a client may choose the id, and what a taken one does. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type JsonValue } from '@stateeval/contracts'
import { findList } from './answers.ts'
import { type MadeItem, usualConflict, type ProbeContext } from './context.ts'

/** Whether a client may choose the id, and what a taken one does. */
export async function learnIdentity(probe: ProbeContext, name: string, first: MadeItem): Promise<void> {
  const type = probe.model.types[name]!
  const [id, operation] = probe.findCreator(name)!
  if (operation.effect !== 'create') return
  const { field } = type.identity
  const given =
    typeof first.id === 'number'
      ? probe.host.rng.int(100_000, 999_999)
      : `${probe.host.prefix}own${probe.host.rng.int(1, 999_999)}`
  const made = await probe.create(name, { ...probe.drawBody(name), [field]: given })
  probe.note('types', name, 'identity')
  if (!('id' in made) || made.id !== given) {
    type.identity.by = 'server'
    delete type.fields[field]
    return
  }
  type.identity.by = 'either'
  type.fields[field] = {
    ...(type.fields[field] ?? { type: typeof given === 'number' ? 'integer' : 'string' }),
  }
  delete type.fields[field].required
  const taken = await probe.create(name, { ...probe.drawBody(name), [field]: given })
  if (!('id' in taken)) {
    if (taken.status !== usualConflict)
      operation.refuses = [
        ...(operation.refuses ?? []),
        { unless: 'free', status: taken.status || usualConflict },
      ]
  } else if ((await countListed(probe, name, given)) > 1) {
    // An API that stores an id twice cannot be followed where clients choose ids.
    type.identity.by = 'server'
    delete type.fields[field]
  } else {
    operation.existing = isDeepStrictEqual(taken.values, made.values) ? 'return' : 'replace'
    operation.existingStatus = taken.answer.status
  }
  probe.note('operations', id, 'existing')
}

/** How often a list shows an id. */
async function countListed(probe: ProbeContext, name: string, id: JsonValue): Promise<number> {
  const list = probe.list(name, 'list')[0]
  if (!list) return 0
  const { answer } = await probe.call(list, probe.getAbove(name)!)
  const { field } = probe.model.types[name]!.identity
  const items = findList(answer.body, list[1]) ?? []
  return items.filter((item) => isRecord(item) && item[field] === id).length
}
