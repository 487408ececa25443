/** Named models. */
import {
  type BuiltInModel,
  builtInModels,
  type Model,
  type ModelSettings,
  ProblemError,
} from '@stateeval/contracts'
import { faultOfSettings, type ModelRules } from '@stateeval/models'
import type { RevisedDocuments } from '@stateeval/service-kit'
import { isBuiltIn, type StoredModel } from '../choices/models.ts'
import type { Route } from './route.ts'

interface ModelList {
  models: RevisedDocuments<StoredModel>
  /** Those that a file declares; these names are the file's. */
  fileModels: ReadonlyMap<string, ModelSettings>
}
/** Whom settings may name. */
type Rules = Pick<ModelRules, 'env' | 'networks'>

const descriptions: Record<BuiltInModel, string> = {
  reference: 'Answers with the reference code; a set with a correct oracle gives it 100 %',
  mutant: 'Answers with seeded mutants of the reference code; the share that is caught measures the oracle',
}

const builtIn = (name: BuiltInModel): Model => ({
  name,
  kind: 'built-in',
  description: descriptions[name],
  links: { self: `/v1/models/${name}` },
})
const endpoint = (name: string, { settings, updatedAt }: StoredModel): Model => ({
  name,
  kind: 'endpoint',
  settings,
  updatedAt,
  links: { self: `/v1/models/${name}` },
})
const fromFile = (name: string, settings: ModelSettings): Model => ({
  name,
  kind: 'endpoint',
  settings,
  declaredIn: 'file',
  links: { self: `/v1/models/${name}` },
})

/** Throws a problem that names the field where the settings may not be. */
function checkSettings(settings: ModelSettings, rules: ModelRules): void {
  const fault = faultOfSettings(settings, rules)
  if (fault) throw new ProblemError('unprocessable', fault.says, fault.field)
}

export const putModel: Route<'putModel', ModelList & Rules & { now: () => Date }> = async (
  { params: { name }, body },
  { fileModels, models, env, networks, now },
) => {
  if (isBuiltIn(name))
    throw new ProblemError('conflict', `${name} is a built-in model; choose another name`, '/name')
  if (fileModels.has(name))
    throw new ProblemError('conflict', `${name} is declared in a file; change it there`, '/name')
  checkSettings(body, { env, networks })
  const entry = { settings: body, updatedAt: now().toISOString() }
  await models.replace(name, entry)
  return { status: 200, body: endpoint(name, entry) }
}

export const getModel: Route<'getModel', ModelList> = async (
  { params: { name } },
  { fileModels, models },
) => {
  if (isBuiltIn(name)) return { status: 200, body: builtIn(name) }
  const declared = fileModels.get(name)
  if (declared) return { status: 200, body: fromFile(name, declared) }
  const entry = await models.get(name)
  if (!entry)
    throw new ProblemError(
      'not-found',
      `there is no model ${JSON.stringify(name)}; PUT /v1/models/${name} names one`,
    )
  return { status: 200, body: endpoint(name, entry) }
}

export const listModels: Route<'listModels', ModelList> = async (
  { query: { limit = 50, cursor } },
  { fileModels, models },
) => {
  const documents = await models.page(cursor, limit + 1)
  const ofPage = documents
    .slice(0, limit)
    .filter(({ id }) => !fileModels.has(id))
    .map(({ id, value }) => endpoint(id, value))
  const items =
    cursor === undefined
      ? [
          ...builtInModels.map(builtIn),
          ...[...fileModels].map(([name, settings]) => fromFile(name, settings)),
          ...ofPage,
        ]
      : ofPage
  return {
    status: 200,
    body: { items, ...(documents.length > limit && { next: documents[limit - 1]?.id ?? '' }) },
  }
}

export const deleteModel: Route<'deleteModel', ModelList> = async (
  { params: { name } },
  { fileModels, models },
) => {
  if (isBuiltIn(name)) throw new ProblemError('conflict', `${name} is built in and cannot be deleted`)
  if (fileModels.has(name))
    throw new ProblemError('conflict', `${name} is declared in a file; remove it there`, '/name')
  if (!(await models.remove(name)))
    throw new ProblemError('not-found', `there is no model ${JSON.stringify(name)}`)
  return { status: 204 }
}
