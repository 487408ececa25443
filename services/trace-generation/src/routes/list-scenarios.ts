import { ProblemError } from '@stateeval/contracts'
import type { TraceRoute } from './route.ts'
import { summarizeScenario } from '../scenarios.ts'

export const listScenarios: TraceRoute<'listScenarios'> = async (
  { query: { limit = 50, cursor = '' } },
  { scenarios },
) => {
  if (cursor !== '' && !scenarios.some(({ id }) => id === cursor))
    throw new ProblemError('validation-failed', 'cursor must be the `next` of the previous page', 'cursor')
  const after = scenarios
    .map(summarizeScenario)
    .filter(({ id }) => id > cursor)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const items = after.slice(0, limit)
  return { status: 200, body: { items, ...(after.length > limit && { next: items.at(-1)?.id }) } }
}
