import type { ExecutionResult } from '@stateeval/contracts'
import type { ExecutionRoute } from '../context.ts'

export const closeSession: ExecutionRoute<'closeSession'> = async (
  { params, body },
  { sessions, artifacts },
) => {
  await sessions.requireUnowned(params.id)
  const result = await artifacts.unpack(await sessions.close(params.id, body.result))
  return { status: 200, body: result as ExecutionResult }
}
