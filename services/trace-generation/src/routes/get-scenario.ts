import type { TraceRoute } from './route.ts'
import { scenarioOf } from '../generations.ts'
import { summary } from '../scenarios.ts'

export const getScenario: TraceRoute<'getScenario'> = async ({ params }, { scenarios }) => ({
  status: 200,
  body: summary(scenarioOf(scenarios, params.id)),
})
