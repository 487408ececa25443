/** Names → flat typed environment → nested frozen config. */
import { baseConfig, baseSettings, deepFreeze, defineSettings, type Environment, readSettings } from '@stateeval/service-kit'
import { readPrompts } from './agents/prompts.ts'

export const settings = defineSettings({
  ...baseSettings,
  STATEEVAL_TRANSLATION_IN_PLACE: {
    type: 'integer',
    default: 20,
    min: 0,
    max: 500,
    doc: 'Most programs that a request translates in place; more become a job',
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
    ...baseConfig('translation', values),
    translation: { inPlace: values.STATEEVAL_TRANSLATION_IN_PLACE, prompts: readPrompts(values.STATEEVAL_PROMPTS) },
  })
}
export type Config = ReturnType<typeof readConfig>
