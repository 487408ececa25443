/** Names → flat typed environment → nested frozen config. */
import { baseConfig, baseSettings, deepFreeze, defineSettings, type Environment, readSettings } from '@stateeval/service-kit'

export const settings = defineSettings({
  ...baseSettings,
  STATEEVAL_TRANSLATION_IN_PLACE: {
    type: 'integer',
    default: 20,
    min: 0,
    max: 500,
    doc: 'Most programs that a request translates in place; more become a job',
  },
})

export function readConfig(env: Environment) {
  const values = readSettings(settings, env)
  return deepFreeze({
    ...baseConfig('translation', values),
    translation: { inPlace: values.STATEEVAL_TRANSLATION_IN_PLACE },
  })
}
export type Config = ReturnType<typeof readConfig>
