/** Names → flat typed environment → nested frozen config. */
import { readRules } from '@stateeval/models'
import {
  buildBaseConfig,
  baseSettings,
  freezeConfig,
  defineSettings,
  type ProcessEnvironment,
  readFromSettings,
  readHostLists,
  modelSettings,
  readPromptFiles,
  readSettings,
} from '@stateeval/service-kit'
import { agentPrompts } from '@stateeval/translate'

export const settings = defineSettings({
  ...baseSettings,
  ...modelSettings,
  STATEEVAL_TRANSLATION_IN_PLACE: {
    type: 'integer',
    default: 20,
    min: 0,
    max: 500,
    doc: 'Maximum number of programs that a request translates directly; larger requests become a job',
  },
})

export function readConfig(env: ProcessEnvironment) {
  const values = readSettings(settings, env)
  const { networks } = readFromSettings(() =>
    readRules(env, values.STATEEVAL_MODEL_NETWORKS, readHostLists(values)),
  )
  return freezeConfig({
    ...buildBaseConfig('translation', values),
    networks,
    translation: {
      inPlace: values.STATEEVAL_TRANSLATION_IN_PLACE,
      prompts: readPromptFiles(agentPrompts, values.STATEEVAL_PROMPTS),
    },
  })
}
export type TranslationConfig = ReturnType<typeof readConfig>
