/** Shared parts of hotel searches: dates and guests, as they are asked and as they are refused. */
import { readStay } from '../dates.ts'
import { type FunctionArguments, readNumberArgument, defineTaken, readTextArgument } from '../function.ts'
import { findDestination, type HotelDestination } from './destinations.ts'
import type { HotelGuests } from './inventory.ts'

export const guestParameters = [
  defineTaken('adults', 'Guests of 18 years or more; 1 by default.', 'number'),
  defineTaken('room_qty', 'Rooms that are needed; 1 by default.', 'number'),
]
export const childrenParameter = defineTaken(
  'children_age',
  'Ages of all children under 18 in years, separated by commas, such as "0,1,17" for a baby, a child of one year, and one of seventeen.',
)

export interface AskedStay {
  arrival: number
  nights: number
  guests: HotelGuests
}

export function readAskedStay(
  args: FunctionArguments,
  names: readonly [string, string] = ['arrival_date', 'departure_date'],
): AskedStay | { fault: string } {
  const stay = readStay(readTextArgument(args, names[0]), readTextArgument(args, names[1]), names)
  if ('fault' in stay) return stay
  const guests = readGuests(args)
  return 'fault' in guests ? guests : { ...stay, guests }
}

/** A stay at the destination that a call names. */
export function readDestinationStay(
  seed: string,
  args: FunctionArguments,
): { stay: AskedStay; destination: HotelDestination } | { fault: string } {
  const stay = readAskedStay(args)
  if ('fault' in stay) return stay
  const [type, id] = [readTextArgument(args, 'search_type'), readTextArgument(args, 'dest_id')]
  const destination = findDestination(seed, type, id)
  return destination ? { stay, destination } : { fault: 'no place has this dest_id and search_type' }
}

function readGuests(args: FunctionArguments): HotelGuests | { fault: string } {
  const adults = readNumberArgument(args, 'adults', 1)
  const rooms = readNumberArgument(args, 'room_qty', 1)
  if (!Number.isInteger(adults) || adults < 1 || adults > 30)
    return { fault: 'adults must be a whole number from 1 to 30' }
  if (!Number.isInteger(rooms) || rooms < 1 || rooms > 30)
    return { fault: 'room_qty must be a whole number from 1 to 30' }
  const ages = readTextArgument(args, 'children_age')
    .split(',')
    .map((age) => age.trim())
    .filter(Boolean)
  const children = ages.map(Number)
  if (children.some((age) => !Number.isInteger(age) || age < 0 || age > 17))
    return { fault: 'children_age must be whole numbers from 0 to 17, separated by commas' }
  return { adults, rooms, children: children.sort((a, b) => a - b) }
}
