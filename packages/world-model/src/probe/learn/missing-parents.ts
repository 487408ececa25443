/** Calls below an item that is gone. */
import { isSuccess } from '../../request.ts'
import { usualMissing, type ProbeContext } from './context.ts'

/** The status of calls below an item that is gone. */
export async function learnMissingParent(probe: ProbeContext, name: string): Promise<void> {
  const { parent } = probe.model.types[name]!
  const remove = parent === undefined ? undefined : probe.list(parent, 'delete')[0]
  if (parent === undefined || !remove) return
  const before = probe.made.get(parent)!
  const above = await probe.makeAnother(parent)
  if (!above) return
  probe.made.set(parent, above)
  const item = await probe.makeAnother(name)
  probe.made.set(parent, before)
  const removed = await probe.call(remove, above.above, { target: above.id })
  if (!item || !isSuccess(removed.answer)) return
  for (const operation of probe.list(
    name,
    'create',
    'read',
    'list',
    'update',
    'replace',
    'delete',
    'delete-many',
  )) {
    const [id, { writes }] = operation
    const content = probe.drawBody(name, writes?.slice(0, 1))
    const { answer } = await probe.call(operation, item.above, { target: item.id, content })
    if (isSuccess(answer)) probe.dropOperation(id, `it works below an item that is gone: ${answer.status}`)
    else if (answer.status !== usualMissing)
      operation[1].refuses = [{ unless: 'parents', status: answer.status }, ...(operation[1].refuses ?? [])]
  }
  probe.note('types', name, 'parent')
}
