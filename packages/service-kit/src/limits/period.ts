/** Budget periods: whole days in UTC, so a day's usage belongs to every period with that day. */
import type { ProjectBudget } from '@stateeval/contracts'

/** The days from `from` on, before `until`, as YYYY-MM-DD. */
export interface DayPeriod {
  from: string
  until: string
}

const dayMs = 86_400_000
export const formatDay = (at: Date): string => at.toISOString().slice(0, 10)

/** The period that contains a moment: a calendar month, or a number of days, counted from 1970-01-01. */
export function findPeriod(at: Date, { periodDays }: Pick<ProjectBudget, 'periodDays'> = {}): DayPeriod {
  if (periodDays === undefined || periodDays === null) {
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
    return {
      from: formatDay(new Date(Date.UTC(year, month, 1))),
      until: formatDay(new Date(Date.UTC(year, month + 1, 1))),
    }
  }
  const first = Math.floor(at.getTime() / dayMs / periodDays) * periodDays
  return {
    from: formatDay(new Date(first * dayMs)),
    until: formatDay(new Date((first + periodDays) * dayMs)),
  }
}
