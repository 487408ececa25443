import { ProblemError } from '@stateeval/contracts'
import type { TraceRoute } from './route.ts'
import { measureCoverage } from '../coverage.ts'
import { requireGeneration } from '../existing.ts'
import { requireScenarioWithOptions } from '../generations.ts'

export const getGenerationCoverage: TraceRoute<'getGenerationCoverage'> = async ({ params }, context) => {
  const { store } = context
  const { status, options, statistics } = await requireGeneration(store, params.id)
  if (!statistics)
    throw new ProblemError(
      'conflict',
      `the generation is ${status}; coverage is available once it has succeeded`,
    )
  const scenario = await requireScenarioWithOptions(context, options)
  const measures = await measureCoverage(store.allPrograms(params.id), scenario, options, statistics.feasible)
  return { status: 200, body: { ...measures, dropped: statistics.dropped }, etag: params.id }
}
