import type { ExecutionResult } from '@stateeval/contracts'
import type { Route } from '../context.ts'

export const closeSession: Route<'closeSession'> = async ({ params, body }, { sessions, artifacts }) => ({
  status: 200,
  body: (await artifacts.unpack(await sessions.close(params.id, body.result))) as ExecutionResult,
})
