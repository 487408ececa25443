/** Numbers, shares, times and sums in the reader's locale. Pure: the locale is an argument. */

import type { RateBracket, ReportResult } from '@stateeval/contracts'
import { splitWords } from '@stateeval/program/format'

/** The browser's languages if none are given. */
type LocaleNames = string | readonly string[] | undefined

const toLocales = (locales: LocaleNames) => locales as string | string[] | undefined

export const count = (n: number, locales?: LocaleNames): string =>
  new Intl.NumberFormat(toLocales(locales)).format(n)

/** A measure, with four digits. */
export const formatFigure = (value: number, locales?: LocaleNames): string =>
  new Intl.NumberFormat(toLocales(locales), { maximumSignificantDigits: 4 }).format(value)

export const formatPercentLocal = (share: number | null, locales?: LocaleNames): string =>
  share === null
    ? '–'
    : new Intl.NumberFormat(toLocales(locales), {
        style: 'percent',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      }).format(share)

export const formatIntervalLocal = (
  range: readonly [number, number] | null | undefined,
  locales?: LocaleNames,
): string =>
  range ? `${formatPercentLocal(range[0], locales)} – ${formatPercentLocal(range[1], locales)}` : ''

/** Counts samples without a score, by reason where it is known. */
export function formatUnscored(
  { notScored, notScoredByReason = {} }: Pick<ReportResult, 'notScored' | 'notScoredByReason'>,
  locales?: LocaleNames,
): string {
  const reasons = Object.entries(notScoredByReason).map(
    ([reason, n]) => `${count(n, locales)} ${splitWords(reason)}`,
  )
  return `${count(notScored, locales)} not scored${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}`
}

/** Describes a bracket, in words. */
export const formatBracket = ([low, high]: RateBracket, locales?: LocaleNames): string =>
  `${formatPercentLocal(low, locales)} if all samples without a score failed, ${formatPercentLocal(high, locales)} if all passed`

/** US dollars: with cents, or with more digits for small amounts. */
export const formatDollars = (usd: number | null | undefined, locales?: LocaleNames): string =>
  usd === null || usd === undefined
    ? '–'
    : new Intl.NumberFormat(toLocales(locales), {
        style: 'currency',
        currency: 'USD',
        maximumFractionDigits: usd !== 0 && Math.abs(usd) < 0.1 ? 5 : 2,
      }).format(usd)

export const formatMoment = (iso: string, locales?: LocaleNames, timeZone?: string): string =>
  new Intl.DateTimeFormat(toLocales(locales), {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(iso))

const formatUnit = (n: number, name: string, locales: LocaleNames) =>
  new Intl.NumberFormat(toLocales(locales), {
    style: 'unit',
    unit: name,
    unitDisplay: 'narrow',
    maximumFractionDigits: name === 'second' && n < 10 ? 1 : 0,
  }).format(n)

/** The two largest units of a time in milliseconds. */
export function formatDurationLocal(ms: number, locales?: LocaleNames): string {
  const seconds = ms / 1000
  if (seconds < 59.95) return formatUnit(seconds, 'second', locales)
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) {
    const whole = Math.floor(seconds / 60)
    return `${formatUnit(whole, 'minute', locales)} ${formatUnit(Math.floor(seconds - whole * 60), 'second', locales)}`
  }
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return `${formatUnit(days, 'day', locales)} ${formatUnit(hours, 'hour', locales)}`
  return `${formatUnit(hours, 'hour', locales)} ${formatUnit(minutes % 60, 'minute', locales)}`
}

/** A difference of shares, with its sign. */
export const formatPointsLocal = (difference: number | null, locales?: LocaleNames): string =>
  difference === null
    ? '–'
    : new Intl.NumberFormat(toLocales(locales), {
        style: 'percent',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
        signDisplay: 'exceptZero',
      }).format(difference)

/** With two digits; a tiny one as 1.2E-30, because all its zeros would fill the screen. */
export const formatProbability = (p: number, locales?: LocaleNames): string =>
  new Intl.NumberFormat(toLocales(locales), {
    maximumSignificantDigits: 2,
    ...(p < 1e-4 && p > 0 && { notation: 'scientific' }),
  }).format(p)
