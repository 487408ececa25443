/** Names → flat typed environment → nested frozen config. */
import type { ModelSettings } from '@stateeval/contracts'
import { baseConfig, baseSettings, deepFreeze, defineSettings, type Environment, readSettings } from '@stateeval/service-kit'
import { modelsIn } from './models.ts'
import { readOpinionPrompt, readPrompts } from './prompts.ts'

export const settings = defineSettings({
  ...baseSettings,
  STATEEVAL_WINDOW: {
    type: 'integer',
    default: 16,
    min: 1,
    max: 4096,
    doc: 'Items of one build or evaluation in flight at most; several times the executions that all replicas can run at once',
  },
  STATEEVAL_MODELS_FILE: {
    type: 'string',
    optional: true,
    doc: 'JSON file that declares models: an object of settings by name, as PUT /v1/models/{name} takes them',
  },
  STATEEVAL_PROMPTS: {
    type: 'string',
    optional: true,
    doc: 'Folder with prompts that replace ours, those that are missing stay ours: generator.md, revise.md, evaluator.md of translation, tasks.md, tasks-again.md, second-opinion.md of evaluation',
  },
  STATEEVAL_KEY_NAMES: {
    type: 'list',
    default: [],
    doc: 'Further environment variables, besides STATEEVAL_KEY_*, that models may name as their key; separated by commas',
  },
})

export function readConfig(env: Environment) {
  const values = readSettings(settings, env)
  return deepFreeze({
    ...baseConfig('evaluation', values),
    prompts: readPrompts(values.STATEEVAL_PROMPTS),
    opinionPrompt: readOpinionPrompt(values.STATEEVAL_PROMPTS),
    window: values.STATEEVAL_WINDOW,
    models: values.STATEEVAL_MODELS_FILE === undefined ? new Map<string, ModelSettings>() : modelsIn(values.STATEEVAL_MODELS_FILE, env),
  })
}
export type Config = ReturnType<typeof readConfig>
