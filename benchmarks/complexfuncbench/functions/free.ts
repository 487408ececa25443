/**
 * Functions that find places: they cost nothing, so they may be called early, late or again (README,
 * Published behaviour 2).
 */
import { type Dict, equal, type Value } from '../python/value.ts'

/** A call as it was read: its arguments in the order in which they were written. */
export interface Call {
  name: string
  args: Dict
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

export const isFree = ({ name }: Call): boolean => free.has(name)
export const isForgiven = ({ name }: Call): boolean => forgiven.has(name)

/** Search_Hotels for one hotel. `undefined` where search_type is missing. */
export function findsOneHotel({ name, args }: Call): boolean | undefined {
  if (name !== 'Search_Hotels') return false
  const type = args.get('search_type')
  return type === undefined ? undefined : equal(type, 'hotel')
}

/** A call that a run may do without: it only finds a place, or one hotel. */
export const isOptional = (call: Call): boolean => isFree(call) || findsOneHotel(call) === true

export const callsEqual = (a: Call, b: Call): boolean => a.name === b.name && equal(a.args, b.args)

export const sorted = ({ name, args }: Call): Call => ({
  name,
  args: new Map([...args].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))),
})

export const callValue = ({ name, args }: Call): Dict =>
  new Map<string, Value>([
    ['name', name],
    ['arguments', args],
  ])
