import { fillPage } from '@stateeval/service-kit'
import type { ExecutionRoute } from '../context.ts'

export const listSessionCalls: ExecutionRoute<'listSessionCalls'> = async (
  { params, query },
  { sessions },
) => {
  const { limit = 50, cursor = '0' } = query
  await sessions.look(params.id)
  const { items, more } = await fillPage(sessions.calls(params.id, Number(cursor)), limit)
  return { status: 200, body: { items, ...(more && { next: String(Number(cursor) + items.length) }) } }
}
