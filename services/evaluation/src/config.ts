/** Names → flat typed environment → nested frozen config. */
import type { LiveApi, ModelSettings } from '@stateeval/contracts'
import {
  baseConfig,
  baseSettings,
  deepFreeze,
  defineSettings,
  type Environment,
  fromSettings,
  modelSettings,
  readPromptFiles,
  readSettings,
} from '@stateeval/service-kit'
import { readRules } from '@stateeval/models'
import { agentPrompts } from '@stateeval/translate'
import { liveApisIn, modelsIn } from './models.ts'
import { readOpinionPrompts, readPrompts } from './prompts.ts'

export const settings = defineSettings({
  ...baseSettings,
  ...modelSettings,
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
  STATEEVAL_LIVE_APIS_FILE: {
    type: 'string',
    optional: true,
    doc: 'JSON file that declares live APIs which benchmarks may ask: an object of settings by name, see docs/models.md',
  },
})

export function readConfig(env: Environment) {
  const values = readSettings(settings, env)
  const rules = fromSettings(() => readRules(env, values.STATEEVAL_MODEL_NETWORKS))
  return deepFreeze({
    ...baseConfig('evaluation', values),
    prompts: readPrompts(values.STATEEVAL_PROMPTS),
    agentPrompts: readPromptFiles(agentPrompts, values.STATEEVAL_PROMPTS),
    opinionPrompts: readOpinionPrompts(values.STATEEVAL_PROMPTS),
    window: values.STATEEVAL_WINDOW,
    networks: rules.networks,
    models:
      values.STATEEVAL_MODELS_FILE === undefined
        ? new Map<string, ModelSettings>()
        : modelsIn(values.STATEEVAL_MODELS_FILE, rules),
    liveApis:
      values.STATEEVAL_LIVE_APIS_FILE === undefined
        ? new Map<string, LiveApi>()
        : liveApisIn(values.STATEEVAL_LIVE_APIS_FILE, rules),
  })
}
export type Config = ReturnType<typeof readConfig>
