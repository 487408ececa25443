import { subjects } from '@stateeval/contracts'
import type { TranslationRoute } from './route.ts'
import { existing } from '../find.ts'
import { produce } from '../produce.ts'
import { orderOf, toResource, versionsOf } from '../translations.ts'

export const createTranslation: TranslationRoute<'createTranslation'> = async (
  { body, idempotencyKey, signal },
  context,
) => {
  const { artifacts, bus, config, newId, now, send, store } = context
  const order = orderOf(body, context)
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
    versions: versionsOf(order, context),
    programs: await artifacts.putJson(programs),
    total: programs.length,
    createdAt: now(),
  })
  const headers = { location: `/v1/translations/${id}` }
  if (inPlace) {
    await produce(record, context, signal)
    return { status: 201, body: toResource(await existing(context, id)), headers }
  }
  await send(subjects.translate, { id, value: { translation: id } })
  return { status: 202, body: toResource(record), headers }
}
