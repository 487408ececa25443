/**
 * Learns by direct calls what documents leave out: bodies that are accepted, fields that the server fills,
 * envelopes, statuses, what may be written.
 */
import type { WorldModel } from '../../model.ts'
import { makeFirst } from './first-bodies.ts'
import { learnCreation } from './creation.ts'
import { learnRead } from './shown-items.ts'
import { learnList } from './lists.ts'
import { learnWrite } from './writes.ts'
import { learnDelete, learnClear } from './deletions.ts'
import { learnMissingParent } from './missing-parents.ts'
import { learnReferences } from './references.ts'
import { type ProbeHost, clockStepMs, ProbeContext } from './context.ts'

/** The model with what direct calls say; what cannot be called is dropped with its reason. */
export async function learnByCalls(model: WorldModel, host: ProbeHost) {
  const probe = new ProbeContext(structuredClone(model), host)
  for (const type of listInOrder(probe.model)) await makeFirst(probe, type)
  await host.pause(clockStepMs)
  for (const type of listInOrder(probe.model)) await learnCreation(probe, type)
  for (const type of listInOrder(probe.model)) await learnOperations(probe, type)
  for (const type of listInOrder(probe.model)) await learnReferences(probe, type)
  for (const type of listInOrder(probe.model)) await learnMissingParent(probe, type)
  // Last, and from below: what they clear is needed until then.
  for (const type of listInOrder(probe.model).reverse())
    for (const clear of probe.list(type, 'delete-many')) await learnClear(probe, type, clear)
  return { model: probe.model, dropped: probe.dropped, learned: probe.learned }
}

/** Types after those that they need. */
function listInOrder({ types }: WorldModel): string[] {
  const order: string[] = []
  const visiting = new Set<string>()
  const visit = (name: string) => {
    const type = types[name]
    if (!type || visiting.has(name)) return
    visiting.add(name)
    if (type.parent !== undefined) visit(type.parent)
    for (const { refers, required } of Object.values(type.fields))
      if (required && refers !== undefined) visit(refers)
    order.push(name)
  }
  Object.keys(types).forEach(visit)
  return order
}

async function learnOperations(probe: ProbeContext, name: string): Promise<void> {
  if (!probe.model.types[name]) return
  for (const read of probe.list(name, 'read')) await learnRead(probe, name, read)
  for (const list of probe.list(name, 'list')) await learnList(probe, name, list)
  for (const write of probe.list(name, 'update', 'replace')) await learnWrite(probe, name, write)
  for (const remove of probe.list(name, 'delete')) await learnDelete(probe, name, remove)
}
