import type { ExecutionRoute } from '../context.ts'
import { describeExecution } from '../executions.ts'

export const listExecutions: ExecutionRoute<'listExecutions'> = async (
  { query: { limit = 50, cursor = '' } },
  { store },
) => {
  const records = await store.list(cursor, limit + 1)
  const items = records
    .slice(0, limit)
    .map((record) =>
      describeExecution(record, record.ended ?? 'running', record.ended === 'succeeded' ? record.total : 0),
    )
  return { status: 200, body: { items, ...(records.length > limit && { next: items.at(-1)!.id }) } }
}
