/** Models as resources, and what may be named as one. */
import { readFileSync } from 'node:fs'
import {
  type BuiltInModel,
  builtInModels,
  type LiveApi,
  type Model,
  type ModelSettings,
  ProblemError,
} from '@stateeval/contracts'
import { faultOfSettings, type ModelRules, readLiveApis, readModels } from '@stateeval/models'
import { checker, messageOf, SettingsError } from '@stateeval/service-kit'
import type { Revisable } from './store.ts'

export interface StoredModel {
  settings: ModelSettings
  updatedAt: string
}
/** Models by their names. */
export interface KnownModels {
  models: Pick<Revisable<StoredModel>, 'get'>
  /** Those that a file declares; these names are the file's. */
  fileModels: ReadonlyMap<string, ModelSettings>
}
const descriptions: Record<BuiltInModel, string> = {
  reference: 'Answers with the reference code: a set whose oracle is right gives it 100 %',
  mutant: 'Answers with seeded mutants of the reference code: how many are caught measures the oracle',
}
export const isBuiltIn = (name: string): name is BuiltInModel =>
  (builtInModels as readonly string[]).includes(name)

export const builtIn = (name: BuiltInModel): Model => ({
  name,
  kind: 'built-in',
  description: descriptions[name],
  links: { self: `/v1/models/${name}` },
})
export const endpoint = (name: string, { settings, updatedAt }: StoredModel): Model => ({
  name,
  kind: 'endpoint',
  settings,
  updatedAt,
  links: { self: `/v1/models/${name}` },
})

/** The settings of a named model: the file's, else those given over HTTP; null where there is none of this name. */
export async function settingsOf(
  { fileModels, models }: KnownModels,
  name: string,
): Promise<ModelSettings | null> {
  return fileModels.get(name) ?? (await models.get(name))?.settings ?? null
}
export const fromFile = (name: string, settings: ModelSettings): Model => ({
  name,
  kind: 'endpoint',
  settings,
  declaredIn: 'file',
  links: { self: `/v1/models/${name}` },
})
/** Reads a file of models. Throws a SettingsError, so that the service does not start with half of what it was told. */
export function modelsIn(file: string, rules: ModelRules): ReadonlyMap<string, ModelSettings> {
  try {
    return readModels(file, readFileSync(file, 'utf8'), rules, (schema, value) =>
      checker(schema).fault(value),
    )
  } catch (error) {
    throw new SettingsError([`STATEEVAL_MODELS_FILE: ${messageOf(error)}`])
  }
}

/** Reads a file of live APIs, in the same way. */
export function liveApisIn(file: string, rules: ModelRules): ReadonlyMap<string, LiveApi> {
  try {
    return readLiveApis(file, readFileSync(file, 'utf8'), rules, (schema, value) =>
      checker(schema).fault(value),
    )
  } catch (error) {
    throw new SettingsError([`STATEEVAL_LIVE_APIS_FILE: ${messageOf(error)}`])
  }
}

/** Throws a problem that names the field where the settings may not be. */
export function checkSettings(settings: ModelSettings, rules: ModelRules): void {
  const fault = faultOfSettings(settings, rules)
  if (fault) throw new ProblemError('unprocessable', fault.says, fault.field)
}
