/** Models by their names. */
import { builtInModels, ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { builtIn, checkSettings, endpoint, fromFile, isBuiltIn } from '../models.ts'

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

export const getModel: Route<'getModel'> = async ({ params: { name } }, { fileModels, models }) => {
  if (isBuiltIn(name)) return { status: 200, body: builtIn(name) }
  const declared = fileModels.get(name)
  if (declared) return { status: 200, body: fromFile(name, declared) }
  const stored = await models.get(name)
  if (!stored)
    throw new ProblemError(
      'not-found',
      `there is no model ${JSON.stringify(name)}; PUT /v1/models/${name} names one`,
    )
  return { status: 200, body: endpoint(name, stored) }
}

export const listModels: Route<'listModels'> = async (
  { query: { limit = 50, cursor } },
  { fileModels, models },
) => {
  const found = await models.page(cursor, limit + 1)
  const named = found
    .slice(0, limit)
    .filter(({ id }) => !fileModels.has(id))
    .map(({ id, value }) => endpoint(id, value))
  const items =
    cursor === undefined
      ? [
          ...builtInModels.map(builtIn),
          ...[...fileModels].map(([name, settings]) => fromFile(name, settings)),
          ...named,
        ]
      : named
  return { status: 200, body: { items, ...(found.length > limit && { next: found[limit - 1]?.id ?? '' }) } }
}

export const deleteModel: Route<'deleteModel'> = async ({ params: { name } }, { fileModels, models }) => {
  if (isBuiltIn(name)) throw new ProblemError('conflict', `${name} is built in and can’t be deleted`)
  if (fileModels.has(name))
    throw new ProblemError('conflict', `${name} is declared in a file; remove it there`, '/name')
  if (!(await models.remove(name)))
    throw new ProblemError('not-found', `there is no model ${JSON.stringify(name)}`)
  return { status: 204 }
}
