import { subjects } from '@stateeval/contracts'
import type { TranslationRoute } from './route.ts'
import { requireTranslation } from '../find.ts'
import { produceTranslation } from '../produce.ts'
import { buildOrder, toResource, listVersions } from '../translations.ts'

export const createTranslation: TranslationRoute<'createTranslation'> = async (
  { body, idempotencyKey, signal },
  context,
) => {
  const { artifacts, bus, config, newId, now, send, store } = context
  const order = await buildOrder(body, context)
  // Models take their time; a request that waits for them would break off.
  const inPlace = !order.agents && order.programs.length <= config.translation.inPlace
  if (!inPlace) bus.check()
  const id = newId('trl', idempotencyKey)
  const { programs, translator, seed, agents } = order
  const record = await store.create({
    _id: id,
    translator,
    seed,
    ...(agents && { agents }),
    versions: await listVersions(order, context),
    programs: await artifacts.putJson(programs),
    total: programs.length,
    createdAt: now(),
  })
  const headers = { location: `/v1/translations/${id}` }
  if (inPlace) {
    await produceTranslation(record, context, signal)
    return { status: 201, body: toResource(await requireTranslation(context, id)), headers }
  }
  await send(subjects.translate, { id, value: { translation: id } })
  return { status: 202, body: toResource(record), headers }
}
