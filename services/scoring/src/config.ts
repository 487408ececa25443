/** Names → flat typed environment → nested frozen config. */
import {
  baseConfig,
  baseSettings,
  deepFreeze,
  defineSettings,
  type Environment,
  readSettings,
} from '@stateeval/service-kit'

export const settings = defineSettings({ ...baseSettings })

export function readConfig(env: Environment) {
  return deepFreeze({ ...baseConfig('scoring', readSettings(settings, env)) })
}
export type ScoringConfig = ReturnType<typeof readConfig>
