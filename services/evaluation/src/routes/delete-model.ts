import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { isBuiltIn } from '../models.ts'

export const deleteModel: Route<'deleteModel'> = async ({ params: { name } }, { fileModels, models }) => {
  if (isBuiltIn(name)) throw new ProblemError('conflict', `${name} is built in and can’t be deleted`)
  if (fileModels.has(name))
    throw new ProblemError('conflict', `${name} is declared in a file; remove it there`, '/name')
  if (!(await models.remove(name)))
    throw new ProblemError('not-found', `there is no model ${JSON.stringify(name)}`)
  return { status: 204 }
}
