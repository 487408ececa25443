/** Limits and usage of projects. */
export type { RunningWork } from './claims.ts'
export { createModelMeter } from './model-meter.ts'
export { type DayPeriod, findPeriod } from './period.ts'
export { openQuota, type ProjectQuota } from './quota.ts'
export type { ProjectRules } from './rules.ts'
export { type LimitDefaults, limitDefaults, limitSettings } from './settings.ts'
