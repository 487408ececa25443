/** Default limits of projects. */
import { type ProjectBudget, ProjectLimits, type RetentionPeriods } from '@stateeval/contracts'
import { defineSettings, SettingsError, type SettingValues } from '../settings.ts'
import { createChecker } from '../validation.ts'

export const limitSettings = defineSettings({
  STATEEVAL_LIMITS: {
    type: 'list',
    default: [],
    doc: 'Default limits of projects, such as requestsPerSecond=50,usd=200; docs/limits.md lists them. Default: none',
  },
  STATEEVAL_RETENTION_DAYS: {
    type: 'integer',
    optional: true,
    min: 1,
    max: 36_500,
    doc: 'Age in days after which evaluations, unused benchmarks, executions, recordings and audit entries of projects without a retention setting are deleted. Default: never',
  },
})

export interface LimitDefaults {
  readonly limits: ProjectLimits
  readonly retention: RetentionPeriods
}

const ofBudget: ReadonlySet<string> = new Set<keyof ProjectBudget>([
  'periodDays',
  'promptTokens',
  'completionTokens',
  'usd',
  'cpuSeconds',
])

/** Throws a SettingsError that names each faulty entry. */
export function limitDefaults(values: SettingValues<typeof limitSettings>): LimitDefaults {
  const faults: string[] = []
  const limits: Record<string, number> = {}
  const budget: Record<string, number> = {}
  for (const entry of values.STATEEVAL_LIMITS) {
    const [, name = '', number] = /^([A-Za-z]+)=(\d+(?:\.\d+)?)$/.exec(entry) ?? []
    if (number === undefined) faults.push(`STATEEVAL_LIMITS: ${entry}: set <name>=<number>`)
    else (ofBudget.has(name) ? budget : limits)[name] = Number(number)
  }
  const all = { ...limits, ...(Object.keys(budget).length > 0 && { budget }) }
  const fault = createChecker(ProjectLimits).fault(all)
  if (fault) faults.push(`STATEEVAL_LIMITS: ${fault.field.slice(1)} ${fault.says}`)
  if (faults.length > 0) throw new SettingsError(faults)
  const days = values.STATEEVAL_RETENTION_DAYS
  return { limits: all, retention: days === undefined ? {} : { days } }
}
