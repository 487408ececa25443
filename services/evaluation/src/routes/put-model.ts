import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { checkSettings, endpoint, isBuiltIn } from '../models.ts'

export const putModel: Route<'putModel'> = async (
  { params: { name }, body },
  { fileModels, models, env, networks, now },
) => {
  if (isBuiltIn(name))
    throw new ProblemError('conflict', `${name} is a built-in model; take another name`, '/name')
  if (fileModels.has(name))
    throw new ProblemError('conflict', `${name} is declared in a file; change it there`, '/name')
  checkSettings(body, { env, networks })
  const stored = { settings: body, updatedAt: now().toISOString() }
  await models.replace(name, stored)
  return { status: 200, body: endpoint(name, stored) }
}
