/**
 * Checks of a project's limits for the framework and the services: whether to serve a request, whether work
 * may begin, and the usage.
 */
import {
  budgetParts,
  type BudgetPart,
  ProblemError,
  type ProjectLimits,
  type UsedAmounts,
} from '@stateeval/contracts'
import { memoizeByProject, getCurrentProject, separateByProject, runInProject } from '../access/project.ts'
import type { ProjectStore } from '../access/projects.ts'
import type { ServiceMetrics } from '../metrics.ts'
import type { MongoStore } from '../mongo.ts'
import { drawRandomHex } from '../random.ts'
import { openClaims, type RunningWork } from './claims.ts'
import { type DayPeriod, findPeriod } from './period.ts'
import { createRate } from './rate.ts'
import { type ProjectRules, openRules } from './rules.ts'
import type { LimitDefaults } from './settings.ts'
import { createUsageBook, sumAmounts } from './usage.ts'

/** The limited quantity, as /metrics calls it. */
type LimitName =
  | 'requests'
  | 'request_size'
  | 'evaluations'
  | 'builds'
  | 'episodes'
  | 'streams'
  | 'executions'
  | 'budget'

/** Work that takes a place while it runs or exists. */
type PlacedWork = 'evaluations' | 'builds' | 'streams'

/** The limits of the current project. */
export interface ProjectQuota {
  rules: ProjectRules
  /**
   * Counts a request; throws a problem where there are too many, or it is too large. At once where nothing
   * is limited.
   */
  admit(headers: Readonly<Record<string, string | string[] | undefined>>): void | Promise<void>
  /** The largest body of a request, in bytes; undefined where the project has no such limit. */
  largestBody(): number | undefined | Promise<number | undefined>
  /** Throws a problem while a part of the budget is used up. */
  requireBudget(): Promise<void>
  /**
   * Why one of these parts allows nothing more; null where they do. Includes all that this process has
   * counted, and what the others had counted a second ago.
   */
  exhausted(parts?: readonly BudgetPart[]): Promise<string | null>
  /** Takes a place for what begins; throws a problem where as many are there as may be. */
  begin(kind: PlacedWork, owner: string, work: RunningWork): Promise<void>
  /** Gives the place of what is deleted back. */
  end(kind: PlacedWork, owner: string): Promise<void>
  /** Notes that a limit refused something, and gives the problem. */
  refusal(limit: LimitName, problem: ProblemError): ProblemError
  /** Counts what was used; stored within a second. */
  used(amounts: Partial<UsedAmounts>): void
  /** The same; resolves once it is stored. */
  usedForGood(amounts: Partial<UsedAmounts>): Promise<void>
  usage(
    on: Date,
  ): Promise<{ period: DayPeriod; used: UsedAmounts; limits: ProjectLimits; exhausted: BudgetPart[] }>
  /** Stores what was counted. */
  close(): Promise<void>
}

interface QuotaParts {
  mongo: MongoStore
  projects: Pick<ProjectStore, 'isOpen'>
  metrics: Pick<ServiceMetrics, 'refusals'>
  service: string
  defaults: LimitDefaults
  now: () => Date
}

/** Counted amounts are written after this, and sums are read again after it. In milliseconds. */
const settleMs = 1000
/** When a place for an evaluation or a build may be free again, in seconds: a guess. */
const placeRetryAfter = 30

const createNoPlaceError = (kind: PlacedWork, max: number) =>
  kind === 'streams'
    ? new ProblemError(
        'too-many-requests',
        `this project has ${max} streams, which is its limit; delete one that is no longer needed`,
      )
    : new ProblemError(
        'too-many-requests',
        `${max} ${kind} already run in this project, which is its limit; wait until one ends, or cancel one`,
        undefined,
        placeRetryAfter,
      )

const units: Readonly<Record<BudgetPart, string>> = {
  promptTokens: 'prompt tokens',
  completionTokens: 'completion tokens',
  usd: 'US dollars',
  cpuSeconds: 'CPU seconds',
}

/** The exhausted parts of the budget. */
const listUsedUp = ({ budget = {} }: ProjectLimits, used: UsedAmounts): BudgetPart[] =>
  budgetParts.filter((part) => {
    const max = budget[part] ?? null
    return max !== null && used[part] >= max
  })

export function openQuota({ mongo, projects, metrics, service, defaults, now }: QuotaParts): ProjectQuota {
  const rules = openRules(mongo, defaults)
  const writer = `${service}-${drawRandomHex(6)}`
  const rate = separateByProject(() => createRate(mongo, now))
  const open = new Set<string>()
  const counted = new Set<string>()
  const flushIn = (project: string) =>
    runInProject(project, async () => {
      open.delete(project)
      // Usage of a project that is being deleted is not stored.
      if (await projects.isOpen(project)) await book.flush()
    })
  const flushSoon = (project: string) => {
    if (open.has(project)) return
    open.add(project)
    // Writes again later if the store is away.
    setTimeout(() => void flushIn(project).catch(() => flushSoon(project)), settleMs).unref()
  }
  const book = separateByProject(() => {
    const project = getCurrentProject()
    counted.add(project)
    return createUsageBook(mongo, writer, now, () => flushSoon(project))
  })
  const limits = () => rules.limits(getCurrentProject())
  const refusal = (limit: LimitName, problem: ProblemError) => {
    metrics.refusals.inc({ limit })
    return problem
  }
  /** Usage in the period: by this process up to now, by the others up to a second ago. */
  const recentUsage = memoizeByProject(() => {
    let latest: { at: number; from: string; others: Promise<UsedAmounts> } | undefined
    return async (period: DayPeriod) => {
      const at = performance.now()
      if (latest === undefined || latest.from !== period.from || at - latest.at >= settleMs) {
        const others = book.others(period)
        latest = { at, from: period.from, others }
        others.catch(() => (latest = undefined))
      }
      return sumAmounts(await latest.others, book.own(period))
    }
  })

  const quota: ProjectQuota = {
    rules,
    refusal,
    admit(headers) {
      const current = limits()
      return current instanceof Promise
        ? current.then((value) => admitted(value, headers))
        : admitted(current, headers)
    },
    largestBody() {
      const current = limits()
      return current instanceof Promise ? current.then(bodyOf) : bodyOf(current)
    },
    async requireBudget() {
      const reason = await quota.exhausted()
      if (reason !== null) throw refusal('budget', new ProblemError('budget-exhausted', reason))
    },
    async exhausted(parts = budgetParts) {
      const probable = await over(await limits(), parts)
      // A project whose budget was just raised continues at once.
      const excess = probable && (await over(await rules.limitsNow(getCurrentProject()), parts))
      if (!excess) return null
      const { budget, period, used, part } = excess
      const amount = Math.round(used[part] * 100) / 100
      return `the project’s budget of ${budget[part]} ${units[part]} since ${period.from} is used up (${amount} used); an operator can raise it (PUT /v1/projects/${getCurrentProject()}/limits), and a new period begins on ${period.until}`
    },
    async begin(kind, owner, work) {
      const max = (await limits())[kind] ?? null
      if (max === null || (await openClaims(mongo, kind, now).take(owner, max, work))) return
      throw refusal(kind, createNoPlaceError(kind, max))
    },
    end: (kind, owner) => openClaims(mongo, kind, now).release(owner),
    used: (amounts) => book.add(amounts),
    async usedForGood(amounts) {
      book.add(amounts)
      await book.flush()
    },
    async usage(on) {
      const current = await limits()
      const period = findPeriod(on, current.budget)
      const used = await book.sum(period)
      return { period, used, limits: current, exhausted: listUsedUp(current, used) }
    },
    async close() {
      // Also where nothing is open: what is being written may not be stored yet.
      await Promise.allSettled([...counted].map(flushIn))
    },
  }

  /** The first of these parts that is used up; null where none is. */
  async function over({ budget = {}, ...rest }: ProjectLimits, parts: readonly BudgetPart[]) {
    if (parts.every((part) => (budget[part] ?? null) === null)) return null
    const period = findPeriod(now(), budget)
    const used = await recentUsage()(period)
    const part = listUsedUp({ ...rest, budget }, used).find((one) => parts.includes(one))
    return part === undefined ? null : { budget, period, used, part }
  }

  const bodyOf = ({ requestKiB }: ProjectLimits) =>
    (requestKiB ?? null) === null ? undefined : requestKiB! * 1024

  function admitted(
    current: ProjectLimits,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void | Promise<void> {
    const max = bodyOf(current)
    if (max !== undefined && Number(headers['content-length'] ?? 0) > max)
      throw refusal('request_size', createTooLargeError(max))
    const { requestsPerSecond: perSecond } = current
    const isWithin = (perSecond ?? null) === null ? true : rate.take(perSecond!)
    const end = (within: boolean) => {
      if (!within)
        throw refusal(
          'requests',
          new ProblemError(
            'too-many-requests',
            `the project may send ${perSecond} requests per second; send this one again in a moment`,
          ),
        )
      book.add({ requests: 1 })
    }
    return isWithin instanceof Promise ? isWithin.then(end) : end(isWithin)
  }
  return quota
}

export const createTooLargeError = (bytes: number) =>
  new ProblemError(
    'payload-too-large',
    `the body may have at most ${bytes} bytes in this project; send less, or in parts`,
  )
