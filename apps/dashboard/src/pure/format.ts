/** Numbers, shares, times and sums in the reader's locale. Pure: the locale is an argument. */

import type { RateBracket } from '@stateeval/contracts'

/** The browser's languages if none are given. */
export type Locales = string | readonly string[] | undefined

const of = (locales: Locales) => locales as string | string[] | undefined

export const count = (n: number, locales?: Locales): string => new Intl.NumberFormat(of(locales)).format(n)

/** A measure, with four digits. */
export const figure = (value: number, locales?: Locales): string =>
  new Intl.NumberFormat(of(locales), { maximumSignificantDigits: 4 }).format(value)

export const percent = (share: number | null, locales?: Locales): string =>
  share === null
    ? '–'
    : new Intl.NumberFormat(of(locales), {
        style: 'percent',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      }).format(share)

export const interval = (range: readonly [number, number] | null | undefined, locales?: Locales): string =>
  range ? `${percent(range[0], locales)} – ${percent(range[1], locales)}` : ''

/** Describes a bracket, in words. */
export const bracketText = ([low, high]: RateBracket, locales?: Locales): string =>
  `${percent(low, locales)} if all samples without a score failed, ${percent(high, locales)} if all passed`

/** US dollars: with cents, or with more digits for small amounts. */
export const dollars = (usd: number | null | undefined, locales?: Locales): string =>
  usd === null || usd === undefined
    ? '–'
    : new Intl.NumberFormat(of(locales), {
        style: 'currency',
        currency: 'USD',
        maximumFractionDigits: usd !== 0 && Math.abs(usd) < 0.1 ? 5 : 2,
      }).format(usd)

export const moment = (iso: string, locales?: Locales, timeZone?: string): string =>
  new Intl.DateTimeFormat(of(locales), {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(iso))

const unit = (n: number, name: string, locales: Locales) =>
  new Intl.NumberFormat(of(locales), {
    style: 'unit',
    unit: name,
    unitDisplay: 'narrow',
    maximumFractionDigits: name === 'second' && n < 10 ? 1 : 0,
  }).format(n)

/** The two largest units of a time in milliseconds. */
export function duration(ms: number, locales?: Locales): string {
  const seconds = ms / 1000
  if (seconds < 59.95) return unit(seconds, 'second', locales)
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) {
    const whole = Math.floor(seconds / 60)
    return `${unit(whole, 'minute', locales)} ${unit(Math.floor(seconds - whole * 60), 'second', locales)}`
  }
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return `${unit(days, 'day', locales)} ${unit(hours, 'hour', locales)}`
  return `${unit(hours, 'hour', locales)} ${unit(minutes % 60, 'minute', locales)}`
}

/** A difference of shares, with its sign. */
export const points = (difference: number | null, locales?: Locales): string =>
  difference === null
    ? '–'
    : new Intl.NumberFormat(of(locales), {
        style: 'percent',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
        signDisplay: 'exceptZero',
      }).format(difference)

/** With two digits; a tiny one as 1.2E-30, because all its zeros would fill the screen. */
export const probability = (p: number, locales?: Locales): string =>
  new Intl.NumberFormat(of(locales), {
    maximumSignificantDigits: 2,
    ...(p < 1e-4 && p > 0 && { notation: 'scientific' }),
  }).format(p)
