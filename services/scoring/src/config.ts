/** Names → flat typed environment → nested frozen config. */
import {
  buildBaseConfig,
  baseSettings,
  freezeConfig,
  defineSettings,
  type ProcessEnvironment,
  readSettings,
} from '@stateeval/service-kit'

export const settings = defineSettings({ ...baseSettings })

export function readConfig(env: ProcessEnvironment) {
  return freezeConfig({ ...buildBaseConfig('scoring', readSettings(settings, env)) })
}
export type ScoringConfig = ReturnType<typeof readConfig>
