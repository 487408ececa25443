import type { TraceRoute } from './route.ts'
import { requireScenario } from '../generations.ts'
import { summarizeScenario } from '../scenarios.ts'

export const getScenario: TraceRoute<'getScenario'> = async ({ params }, context) => ({
  status: 200,
  body: summarizeScenario(await requireScenario(context, params.id)),
})
