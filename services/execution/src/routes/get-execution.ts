import type { Route } from '../context.ts'
import { existing, look } from '../executions.ts'

export const getExecution: Route<'getExecution'> = async ({ params }, context) => ({
  status: 200,
  body: await look(await existing(context, params.id), context),
})
