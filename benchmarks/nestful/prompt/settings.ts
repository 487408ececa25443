/**
 * How the published figures of version 2 were generated: greedily, at most 1000 new tokens (README, published
 * behaviour 12).
 */
import type { SettingsPreset } from '@stateeval/program'

const published: SettingsPreset = () => ({ temperature: 0, max_tokens: 1000 })
export const settings: Readonly<Record<string, SettingsPreset>> = { published }
