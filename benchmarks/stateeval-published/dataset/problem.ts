/** Reports faults of published data with their file and field. */
import { ProblemError } from '@stateeval/contracts'

/** Place of a reading: a file, a line of it where it has several cases, and a field. */
export interface ReadingPlace {
  file: string
  /** Line number, from 1. */
  line?: number
  field: string
}
export const formatPlace = ({ file, line }: ReadingPlace) =>
  line === undefined ? file : `${file}, line ${line}`
export const extendPlace = (place: ReadingPlace, ...keys: (string | number)[]): ReadingPlace => ({
  ...place,
  field: keys.reduce<string>(
    (field, key) => (typeof key === 'number' ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`),
    place.field,
  ),
})

/** `says` continues the name of the field. */
export function rejectPlace(place: ReadingPlace, says: string): never {
  const field = place.field === '' ? '' : `: ${place.field}`
  throw new ProblemError('unprocessable', `${formatPlace(place)}${field} ${says}`, `/files/${place.file}`)
}

/** A case that is sound but can't be run here; it is left out with this reason, the others stay. */
export class LeftOut extends Error {
  readonly reason: string
  readonly scenario: string | undefined
  constructor(place: ReadingPlace, reason: string, says: string, scenario?: string) {
    super(`${formatPlace(place)}${place.field === '' ? '' : `: ${place.field}`} ${says}`)
    this.reason = reason
    this.scenario = scenario
  }
}

export function readJson(text: string, place: ReadingPlace): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Python writes NaN and Infinity, which are no JSON.
    const odd = /\b(NaN|-?Infinity)\b/.exec(text)?.[0]
    return rejectPlace(
      place,
      odd === undefined
        ? `is not valid JSON (${(error as Error).message}); download the published file again`
        : `is not valid JSON: it contains ${odd}, which only Python reads; remove this case`,
    )
  }
}
