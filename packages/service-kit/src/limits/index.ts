/** Limits and usage of projects. */
export type { RunningWork } from './claims.ts'
export { modelMeter } from './model-meter.ts'
export { type Period, periodAt } from './period.ts'
export { openQuota, type Quota } from './quota.ts'
export type { Rules } from './rules.ts'
export { type LimitDefaults, limitDefaults, limitSettings } from './settings.ts'
