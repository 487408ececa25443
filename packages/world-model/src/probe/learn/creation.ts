/** What two items with the same body show. */
import { learnBeside } from './answers.ts'
import { learnDoubles } from './doubles.ts'
import { learnServerFields } from './server-fields.ts'
import { learnFields } from './fields.ts'
import { learnIdentity } from './identity.ts'
import type { MadeItem, ProbeContext } from './context.ts'

export async function learnCreation(probe: ProbeContext, name: string): Promise<void> {
  const type = probe.model.types[name]
  const first = probe.made.get(name)
  if (!type || !first) return
  const creator = probe.findCreator(name)!
  const [creatorId, operation] = creator
  const again = await probe.create(name, first.sent)
  let second: MadeItem | undefined = 'id' in again && again.id !== first.id ? again : undefined
  if (!second) second = await learnDoubles(probe, name, first, again)
  if (!second) return probe.dropType(name, 'only one of it could be made')
  if (creator[1].effect === 'create') operation.status = first.answer.status
  else operation.createsStatus = first.answer.status
  operation.answer.is = Object.keys(first.values).length > 0 ? 'item' : 'none'
  probe.note('operations', creatorId, 'status')
  learnServerFields(probe, name, first, second)
  learnBeside(operation, first.answer.body, second.answer.body)
  await learnFields(probe, name, second)
  await learnIdentity(probe, name, first)
}
