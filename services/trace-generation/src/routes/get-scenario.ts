import type { TraceRoute } from './route.ts'
import { requireScenario } from '../generations.ts'
import { summarizeScenario } from '../scenarios.ts'

export const getScenario: TraceRoute<'getScenario'> = async ({ params }, { scenarios }) => ({
  status: 200,
  body: summarizeScenario(requireScenario(scenarios, params.id)),
})
