/** Names → flat typed environment → nested frozen config. */
import {
  baseConfig,
  baseSettings,
  deepFreeze,
  defineSettings,
  type Environment,
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

export function readConfig(env: Environment) {
  const values = readSettings(settings, env)
  return deepFreeze({
    ...baseConfig('trace-generation', values),
    generation: { maxCount: values.STATEEVAL_GENERATION_MAX_COUNT },
  })
}
export type TraceConfig = ReturnType<typeof readConfig>
