import { computeContentId } from '@stateeval/contracts'
import type { TraceRoute } from './route.ts'
import { requireScenario } from '../generations.ts'

export const getScenarioDocumentation: TraceRoute<'getScenarioDocumentation'> = async (
  { params, query: { language = 'javascript' } },
  { scenarios },
) => {
  const markdown = requireScenario(scenarios, params.id).documentation(language)
  return { status: 200, body: { language, markdown }, etag: computeContentId(markdown) }
}
