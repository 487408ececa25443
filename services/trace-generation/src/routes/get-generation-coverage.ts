import { ProblemError } from '@stateeval/contracts'
import type { TraceRoute } from './route.ts'
import { coverage } from '../coverage.ts'
import { existing } from '../existing.ts'
import { scenarioWith } from '../generations.ts'

export const getGenerationCoverage: TraceRoute<'getGenerationCoverage'> = async (
  { params },
  { store, scenarios },
) => {
  const { status, options, statistics } = await existing(store, params.id)
  if (!statistics)
    throw new ProblemError(
      'conflict',
      `the generation is ${status}; coverage is available once it has succeeded`,
    )
  const scenario = scenarioWith(scenarios, options)
  const measures = await coverage(store.allPrograms(params.id), scenario, options)
  return { status: 200, body: { ...measures, dropped: statistics.dropped }, etag: params.id }
}
