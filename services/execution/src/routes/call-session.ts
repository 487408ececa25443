import { ProblemError } from '@stateeval/contracts'
import type { ExecutionRoute } from '../context.ts'
import { describeSessionEnding } from '../sessions/resource.ts'

export const callSession: ExecutionRoute<'callSession'> = async ({ params, body }, { sessions }) => {
  await sessions.requireUnowned(params.id)
  const answer = await sessions.call(params.id, body)
  if ('results' in answer) return { status: 200, body: answer }
  throw new ProblemError(
    'conflict',
    `the session has ended: ${describeSessionEnding(answer.ending)}; open another one`,
  )
}
