/** Models as resources, and what may be named as one. */
import { type BuiltInModel, builtInModels, type Model, type ModelSettings, ProblemError } from '@stateeval/contracts'
import { faultOfBaseUrl, mayNameKey, reservedParameters } from '@stateeval/models'
import type { EvaluationContext } from './context.ts'

export interface StoredModel {
  settings: ModelSettings
  updatedAt: string
}
const descriptions: Record<BuiltInModel, string> = {
  reference: 'Answers with the reference code: a set whose oracle is right gives it 100 %',
  mutant: 'Answers with seeded mutants of the reference code: how many are caught measures the oracle',
}
export const isBuiltIn = (name: string): name is BuiltInModel => (builtInModels as readonly string[]).includes(name)

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

/** Throws a problem that names the field where the settings may not be. */
export function checkSettings({ baseUrl, keyEnv, parameters = {} }: ModelSettings, env: EvaluationContext['env']): void {
  const fault = faultOfBaseUrl(baseUrl)
  if (fault) throw new ProblemError('unprocessable', `baseUrl ${fault}`, '/baseUrl')
  if (keyEnv !== undefined && !mayNameKey(keyEnv, env)) {
    throw new ProblemError(
      'unprocessable',
      `${keyEnv} may not be named as a key: name a variable STATEEVAL_KEY_*, or list it in STATEEVAL_KEY_NAMES of the evaluation service`,
      '/keyEnv',
    )
  }
  const [reserved] = reservedParameters(parameters)
  if (reserved) throw new ProblemError('unprocessable', `parameters.${reserved} is not yours to set; remove it`, `/parameters/${reserved}`)
}
