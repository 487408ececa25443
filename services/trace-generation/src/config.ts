/** Names → flat typed environment → nested frozen config. */
import {
  buildBaseConfig,
  baseSettings,
  freezeConfig,
  defineSettings,
  type ProcessEnvironment,
  readSettings,
} from '@stateeval/service-kit'

export const settings = defineSettings({
  ...baseSettings,
  STATEEVAL_GENERATION_MAX_COUNT: {
    type: 'integer',
    default: 10_000,
    min: 1,
    max: 10_000,
    doc: 'Maximum number of programs in one generation',
  },
})

export function readConfig(env: ProcessEnvironment) {
  const values = readSettings(settings, env)
  return freezeConfig({
    ...buildBaseConfig('trace-generation', values),
    generation: { maxCount: values.STATEEVAL_GENERATION_MAX_COUNT },
  })
}
export type TraceConfig = ReturnType<typeof readConfig>
