import { computeContentId } from '@stateeval/contracts'
import type { TraceRoute } from './route.ts'
import { requireScenario } from '../generations.ts'

export const getScenarioDocumentation: TraceRoute<'getScenarioDocumentation'> = async (
  { params, query: { language = 'javascript' } },
  context,
) => {
  const scenario = await requireScenario(context, params.id)
  const markdown = scenario.documentation(language)
  return { status: 200, body: { language, markdown }, etag: computeContentId(markdown) }
}
