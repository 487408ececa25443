/**
 * Functions that find places: they cost nothing, so they may be called early, late or again (README,
 * Published behaviour 2).
 */
import { type PythonDict, arePythonEqual, type PythonValue } from '../python/value.ts'

/** A call as it was read: its arguments in the order in which they were written. */
export interface PythonCall {
  name: string
  args: PythonDict
}

const locations = [
  'Search_Hotel_Destination',
  'Search_Attraction_Location',
  'Search_Car_Location',
  'Search_Flight_Location',
  'Taxi_Search_Location',
]
const free = new Set([...locations, 'Location_to_Lat_Long'])
/** The five that the published evaluator forgives at the end: all but Location_to_Lat_Long. */
const forgiven = new Set(locations)

export const isFree = ({ name }: PythonCall): boolean => free.has(name)
export const isForgiven = ({ name }: PythonCall): boolean => forgiven.has(name)

/** Search_Hotels for one hotel. `undefined` where search_type is missing. */
export function isOneHotelSearch({ name, args }: PythonCall): boolean | undefined {
  if (name !== 'Search_Hotels') return false
  const type = args.get('search_type')
  return type === undefined ? undefined : arePythonEqual(type, 'hotel')
}

/** A call that a run may do without: it only finds a place, or one hotel. */
export const isOptional = (call: PythonCall): boolean => isFree(call) || isOneHotelSearch(call) === true

export const areCallsEqual = (a: PythonCall, b: PythonCall): boolean =>
  a.name === b.name && arePythonEqual(a.args, b.args)

export const sortArguments = ({ name, args }: PythonCall): PythonCall => ({
  name,
  args: new Map([...args].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))),
})

export const callValue = ({ name, args }: PythonCall): PythonDict =>
  new Map<string, PythonValue>([
    ['name', name],
    ['arguments', args],
  ])
