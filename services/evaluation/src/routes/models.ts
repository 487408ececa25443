/** Named models. */
import {
  type BuiltInModel,
  builtInModels,
  type Model,
  type ModelProbe,
  type ModelSettings,
  ProblemError,
} from '@stateeval/contracts'
import { computeEndpointId, findSettingsFault, type ModelRules } from '@stateeval/models'
import type { RevisedDocuments } from '@stateeval/service-kit'
import { forgetProbe, probeAndStore, type ProbeParts, findProbe, type ProbeStore } from '../asking/probes.ts'
import { isBuiltInModel, type StoredModel } from '../choices/models.ts'
import type { OperationRoute } from './route.ts'

interface ModelList {
  models: RevisedDocuments<StoredModel>
  /** Models that a file declares; only the file can change these names. */
  fileModels: ReadonlyMap<string, ModelSettings>
}
/** Rules about the keys and hosts that settings may name. */
type NamingRules = Pick<ModelRules, 'env' | 'networks'>

const descriptions: Record<BuiltInModel, string> = {
  reference: 'Answers with the reference code; a set with a correct oracle gives it 100 %',
  mutant: 'Answers with seeded mutants of the reference code; the share that is caught measures the oracle',
}

const describeBuiltInModel = (name: BuiltInModel): Model => ({
  name,
  kind: 'built-in',
  description: descriptions[name],
  links: { self: `/v1/models/${name}` },
})
/** Facts about an endpoint besides its settings. */
interface EndpointFacts {
  probe?: ModelProbe | undefined
}
const describeEndpoint = (
  name: string,
  { settings, updatedAt }: StoredModel,
  { probe }: EndpointFacts = {},
): Model => ({
  name,
  kind: 'endpoint',
  settings,
  updatedAt,
  ...(probe && { probe }),
  links: { self: `/v1/models/${name}` },
})
const describeFileModel = (name: string, settings: ModelSettings, { probe }: EndpointFacts = {}): Model => ({
  name,
  kind: 'endpoint',
  settings,
  declaredIn: 'file',
  ...(probe && { probe }),
  links: { self: `/v1/models/${name}` },
})

/** Throws a problem that names the field where the settings may not be. */
function checkSettings(settings: ModelSettings, rules: ModelRules): void {
  const fault = findSettingsFault(settings, rules)
  if (fault) throw new ProblemError('unprocessable', fault.says, fault.field)
}

export const putModel: OperationRoute<
  'putModel',
  ModelList & ProbeStore & NamingRules & { now: () => Date }
> = async ({ params: { name }, body }, { fileModels, models, probes, env, networks, now }) => {
  if (isBuiltInModel(name))
    throw new ProblemError('conflict', `${name} is a built-in model; choose another name`, '/name')
  if (fileModels.has(name))
    throw new ProblemError('conflict', `${name} is declared in a file; change it there`, '/name')
  checkSettings(body, { env, networks })
  const entry = { settings: body, updatedAt: now().toISOString() }
  const before = await models.get(name)
  await models.replace(name, entry)
  if (before && computeEndpointId(before.settings) !== computeEndpointId(body))
    await forgetProbe({ probes }, before.settings)
  return { status: 200, body: describeEndpoint(name, entry, { probe: await findProbe({ probes }, body) }) }
}

async function requireModel(
  { fileModels, models, probes }: ModelList & ProbeStore,
  name: string,
): Promise<Model> {
  if (isBuiltInModel(name)) return describeBuiltInModel(name)
  const declared = fileModels.get(name)
  if (declared) return describeFileModel(name, declared, { probe: await findProbe({ probes }, declared) })
  const entry = await models.get(name)
  if (!entry)
    throw new ProblemError(
      'not-found',
      `there is no model ${JSON.stringify(name)}; PUT /v1/models/${name} names one`,
    )
  return describeEndpoint(name, entry, { probe: await findProbe({ probes }, entry.settings) })
}

export const getModel: OperationRoute<'getModel', ModelList & ProbeStore> = async (
  { params: { name } },
  context,
) => ({
  status: 200,
  body: await requireModel(context, name),
})

export const probeModel: OperationRoute<
  'probeModel',
  ModelList & ProbeParts & { newId: (prefix: string) => string }
> = async ({ params: { name }, signal }, context) => {
  const { settings } = await requireModel(context, name)
  if (!settings) throw new ProblemError('conflict', `${name} is built in and has no endpoint to probe`)
  if (settings.api === 'embeddings')
    throw new ProblemError(
      'unprocessable',
      `the model ${name} has the api embeddings, which answers no questions; name a model of api chat or completions`,
      '/name',
    )
  const id = context.newId('pr')
  const end = await probeAndStore(context, { id, by: id }, { name, settings }, signal)
  if (!end.ok)
    throw new ProblemError('unprocessable', `the model ${name} cannot be probed: ${end.reason}`, '/name')
  return { status: 200, body: await requireModel(context, name) }
}

export const listModels: OperationRoute<'listModels', ModelList> = async (
  { query: { limit = 50, cursor } },
  { fileModels, models },
) => {
  const documents = await models.page(cursor, limit + 1)
  const ofPage = documents
    .slice(0, limit)
    .filter(({ id }) => !fileModels.has(id))
    .map(({ id, value }) => describeEndpoint(id, value))
  const items =
    cursor === undefined
      ? [
          ...builtInModels.map(describeBuiltInModel),
          ...[...fileModels].map(([name, settings]) => describeFileModel(name, settings)),
          ...ofPage,
        ]
      : ofPage
  return {
    status: 200,
    body: { items, ...(documents.length > limit && { next: documents[limit - 1]?.id ?? '' }) },
  }
}

export const deleteModel: OperationRoute<'deleteModel', ModelList & ProbeStore> = async (
  { params: { name } },
  { fileModels, models, probes },
) => {
  if (isBuiltInModel(name)) throw new ProblemError('conflict', `${name} is built in and cannot be deleted`)
  if (fileModels.has(name))
    throw new ProblemError('conflict', `${name} is declared in a file; remove it there`, '/name')
  const entry = await models.get(name)
  if (!(await models.remove(name)))
    throw new ProblemError('not-found', `there is no model ${JSON.stringify(name)}`)
  if (entry) await forgetProbe({ probes }, entry.settings)
  return { status: 204 }
}
