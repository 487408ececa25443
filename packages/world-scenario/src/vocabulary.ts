/** The names of members that instructions use. */
import type { Vocabulary } from '@stateeval/program'
import { type ScenarioPlan, toIdKey } from './plan.ts'

/** All names of members; the one that holds every item's content is passed over. */
export function createVocabulary({ model, bodyKeys, operations }: ScenarioPlan): Vocabulary {
  const types = Object.entries(model.types)
  const fields = types.flatMap(([name, { identity, fields, server = {}, place = [] }]) => [
    identity.field,
    ...Object.keys(fields),
    ...Object.keys(server).map((pointer) => pointer.split('/')[1]!),
    ...place,
    bodyKeys[name]!,
    toIdKey(name),
  ])
  const wraps = operations.flatMap(({ operation, body }) => [
    ...(operation.answer.at ?? []),
    ...(body?.at ?? []),
  ])
  const only =
    types.length === 1 ? operations.find(({ operation }) => operation.content?.at)?.operation : undefined
  const inside = only?.content?.at?.[0]
  return { fields: [...new Set([...fields, ...wraps])], ...(inside !== undefined && { inside }) }
}
