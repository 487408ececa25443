import { subjects } from '@stateeval/contracts'
import type { TraceRoute } from './route.ts'
import { completeGenerationOptions, buildGeneration, requireScenario, toResource } from '../generations.ts'

export const createGeneration: TraceRoute<'createGeneration'> = async ({ body, idempotencyKey }, context) => {
  const { bus, store, newId, now, send } = context
  const scenario = await requireScenario(context, body.scenario, '/scenario')
  const options = completeGenerationOptions(body, scenario, context)
  bus.check()
  const id = newId('gen', idempotencyKey)
  const generation = await store.create(buildGeneration(id, options, scenario, now()))
  await send(subjects.generate, { id, value: { generation: id } })
  return { status: 202, body: toResource(generation), headers: { location: `/v1/generations/${id}` } }
}
