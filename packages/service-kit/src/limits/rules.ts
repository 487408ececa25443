/**
 * Stored rules of projects; their own override the installation's defaults. They are read often and changed
 * seldom.
 */
import type { ProjectLimits, RetentionPeriods } from '@stateeval/contracts'
import { waitForInsert, type MongoStore } from '../mongo.ts'
import type { LimitDefaults } from './settings.ts'

export interface ProjectRules {
  /**
   * The limits of a project, at most two seconds old: at once where they are known, so that asking costs
   * nothing.
   */
  limits(project: string): ProjectLimits | Promise<ProjectLimits>
  /** The same as they are now. */
  limitsNow(project: string): Promise<ProjectLimits>
  retention(project: string): Promise<RetentionPeriods>
  ownRules(project: string): Promise<{ limits: ProjectLimits; retention: RetentionPeriods }>
  setLimits(project: string, limits: ProjectLimits): Promise<void>
  setRetention(project: string, retention: RetentionPeriods): Promise<void>
  /** Forgets all of a project that is removed. */
  remove(project: string): Promise<void>
}

/** The names with a value; null means no limit, and overrides a default. */
export function withDefaults(ownLimits: ProjectLimits, defaults: ProjectLimits): ProjectLimits {
  const { budget: ownBudget, ...rest } = ownLimits
  const { budget: usualBudget, ...usual } = defaults
  const budget = { ...usualBudget, ...ownBudget }
  return { ...usual, ...rest, ...(Object.keys(budget).length > 0 && { budget }) }
}

/**
 * Known values are believed for this long, and refreshed beside the requests in the second half of it. In
 * milliseconds.
 */
const believedMs = 2000

interface KnownLimits {
  value: ProjectLimits
  at: number
  /** The store was away: what was known before is believed on. */
  isGuess?: true
  refreshing?: Promise<ProjectLimits>
}

export function openRules(
  mongo: Pick<MongoStore, 'ofInstallation'>,
  { limits: usual, retention: usualRetention }: LimitDefaults,
  clock = () => performance.now(),
): ProjectRules {
  // JSON text, written whole: of two operators at the same time the later one counts.
  const collections = {
    limits: mongo.ofInstallation<{ text: string }>('access.limits'),
    retention: mongo.ofInstallation<{ text: string }>('access.retention'),
  }
  const read = async (kind: keyof typeof collections, project: string): Promise<object> => {
    const document = await collections[kind].findOne({ _id: project })
    return document === null ? {} : (JSON.parse(document.text) as object)
  }
  const write = async (kind: keyof typeof collections, project: string, value: object) => {
    const text = JSON.stringify(value)
    if (await waitForInsert(collections[kind].insertOne({ _id: project, text }))) return
    await collections[kind].updateOne({ _id: project }, { $set: { text } })
  }
  const entries = new Map<string, KnownLimits>()
  const refresh = (project: string): Promise<ProjectLimits> => {
    const entry = entries.get(project)
    if (entry?.refreshing) return entry.refreshing
    const refreshing = read('limits', project).then((ownLimits) => {
      const value = withDefaults(ownLimits, usual)
      entries.set(project, { value, at: clock() })
      return value
    })
    if (entry) entry.refreshing = refreshing
    refreshing.catch(() => entries.set(project, { value: entry?.value ?? usual, at: clock(), isGuess: true }))
    return refreshing
  }
  return {
    limits(project) {
      const entry = entries.get(project)
      const age = entry ? clock() - entry.at : Infinity
      if (entry === undefined) return refresh(project).catch(() => usual)
      // Nothing can be stored without the store, and work that needs no store continues.
      if (age >= believedMs && !entry.isGuess) return refresh(project).catch(() => entry.value)
      if (age >= believedMs / 2) refresh(project).catch(() => undefined)
      return entry.value
    },
    async limitsNow(project) {
      // One that is being read may have been begun before a change.
      await entries.get(project)?.refreshing?.catch(() => undefined)
      return refresh(project)
    },
    retention: async (project) => ({ ...usualRetention, ...(await read('retention', project)) }),
    ownRules: async (project) => ({
      limits: await read('limits', project),
      retention: await read('retention', project),
    }),
    async setLimits(project, limits) {
      await write('limits', project, limits)
      entries.delete(project)
    },
    setRetention: (project, retention) => write('retention', project, retention),
    async remove(project) {
      await Promise.all(
        Object.values(collections).map((collection) => collection.deleteOne({ _id: project })),
      )
      entries.delete(project)
    },
  }
}
