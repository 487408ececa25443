/** Dates as the service reads and writes them. */
import { DocumentError } from './value.ts'

const iso = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** A moment from ISO 8601 text; without a time zone it is UTC. */
export function parseDate(text: string): Date {
  const zoned =
    !text.includes('T') || /(?:Z|[+-]\d\d:?\d\d)$/.test(text.slice(text.indexOf('T'))) ? text : `${text}Z`
  const date = iso.test(text) ? new Date(zoned) : new Date(Number.NaN)
  if (Number.isNaN(date.getTime()))
    throw new DocumentError(400, `'${text.slice(0, 40)}' is not an ISO 8601 date.`)
  return date
}

/** 2020-01-01T00:00:00.000+00:00, the form of all dates in answers. */
export const writeDate = (date: Date) =>
  Number.isNaN(date.getTime()) ? 'invalid date' : date.toISOString().replace('Z', '+00:00')
