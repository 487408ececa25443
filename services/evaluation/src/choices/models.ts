/**
 * Named models, and which of them answers in an evaluation. A problem reports immediately why a model
 * cannot be asked.
 */
import {
  type UsageBudget,
  type BuiltInModel,
  builtInModels,
  type EvaluationRequest,
  type ModelSettings,
  ProblemError,
} from '@stateeval/contracts'
import type { ModelClient, NamedModel } from '@stateeval/models'
import type { ProjectArtifacts, RevisedDocuments } from '@stateeval/service-kit'
import type { BenchmarkSets } from '@stateeval/sets'
import { requireRecording, type ImportedRecordings } from '../recordings/recordings.ts'
import type { ModelChoice } from '@stateeval/jobs'
import type { PackedAnswers } from './given-answers.ts'

export interface StoredModel {
  settings: ModelSettings
  updatedAt: string
}
/** Models by their names. */
export interface KnownModels {
  models: Pick<RevisedDocuments<StoredModel>, 'get'>
  /** Models that a file declares; these names are the file's. */
  fileModels: ReadonlyMap<string, ModelSettings>
}
export const isBuiltInModel = (name: string): name is BuiltInModel =>
  (builtInModels as readonly string[]).includes(name)

/**
 * The settings of a named model: from the file, otherwise those set over HTTP; null if the name is unknown.
 */
export async function findModelSettings(
  { fileModels, models }: KnownModels,
  name: string,
): Promise<ModelSettings | null> {
  return fileModels.get(name) ?? (await models.get(name))?.settings ?? null
}

/** The models and recordings that an evaluation can choose. */
export interface ModelChoices extends KnownModels, ImportedRecordings {
  modelClient: Pick<ModelClient, 'check'>
}
/** Stored answers from elsewhere, and the questions that they answer. */
export interface GivenAnswers {
  artifacts: ProjectArtifacts
  sets: BenchmarkSets
}

type ModelRequest = Omit<EvaluationRequest, 'answers'>

export async function chooseModel(
  context: ModelChoices & GivenAnswers,
  request: ModelRequest,
  answers?: PackedAnswers,
): Promise<ModelChoice> {
  const { model, recording, fresh, budget, partial } = request
  if ([model, answers, recording].filter((one) => one !== undefined).length !== 1)
    throw new ProblemError('unprocessable', 'give exactly one of model, recording and answers', '/model')
  if (answers !== undefined) return openGivenAnswers(context, request, answers)
  if (partial) throw new ProblemError('unprocessable', 'only given answers are partial', '/partial')
  if (recording !== undefined) {
    const { name, settings } = await requireRecording(context, recording)
    return { kind: 'endpoint', name, settings, recording }
  }
  const name = model as string
  if (isBuiltInModel(name)) return { kind: name }
  const settings = await requireModelSettings(context, name, '/model')
  checkBudget(budget, settings)
  await checkAsked(context, { name, settings }, '/model')
  return { kind: 'endpoint', name, settings, ...(fresh && { fresh }) }
}

/** The settings of a model that a request names; throws a problem with that field if there are none. */
export async function requireModelSettings(
  context: KnownModels,
  name: string,
  field: string,
): Promise<ModelSettings> {
  const settings = await findModelSettings(context, name)
  if (settings) return settings
  throw new ProblemError(
    'unprocessable',
    `there is no model ${JSON.stringify(name)}; PUT /v1/models/${name} names one; the built-in models are reference and mutant`,
    field,
  )
}

/** Throws a problem with that field if the model cannot be asked. */
export async function checkAsked(
  { modelClient }: Pick<ModelChoices, 'modelClient'>,
  { name, settings }: NamedModel,
  field?: string,
): Promise<void> {
  const why = await modelClient.check(settings)
  if (why !== null)
    throw new ProblemError('unprocessable', `the model ${name} cannot be asked: ${why}`, field)
}

export function checkBudget(budget: UsageBudget | undefined, { prices }: ModelSettings): void {
  const { usd, tokens } = budget ?? {}
  for (const [field, value] of Object.entries({ usd, tokens }))
    if (value === 0)
      throw new ProblemError(
        'unprocessable',
        `a budget of 0 allows no request; raise budget.${field}, or leave it out`,
        `/budget/${field}`,
      )
  if (usd !== undefined && !prices)
    throw new ProblemError(
      'unprocessable',
      'a budget in dollars needs the model’s prices; give the model prices, or a budget in tokens',
      '/budget/usd',
    )
}

async function openGivenAnswers(
  context: GivenAnswers,
  { benchmark, label = 'answers', samples = 1, partial }: ModelRequest,
  { cases, bytes }: PackedAnswers,
): Promise<ModelChoice> {
  const ids = new Set(await context.sets.ids(benchmark))
  const at = cases.findIndex((id) => !ids.has(id))
  if (at >= 0)
    throw new ProblemError(
      'unprocessable',
      `the benchmark has no case ${JSON.stringify(cases[at])}`,
      `/answers/${at}/case`,
    )
  const missing = ids.size * samples - cases.length
  return {
    ...{ kind: 'given', label, answers: await context.artifacts.put(bytes) },
    ...(missing > 0 && { missing }),
    ...(partial && { partial }),
  }
}
