/** Shared parts of hotel searches: dates and guests, as they are asked and as they are refused. */
import { stayOf } from '../dates.ts'
import { type Arguments, number, takes, text } from '../function.ts'
import type { Guests } from './inventory.ts'

export const guestParameters = [
  takes('adults', 'Guests of 18 years or more; 1 by default.', 'number'),
  takes('room_qty', 'Rooms that are needed; 1 by default.', 'number'),
]
export const childrenParameter = takes(
  'children_age',
  'Ages of all children under 18 in years, separated by commas, such as "0,1,17" for a baby, a child of one year, and one of seventeen.',
)

export interface Asked {
  arrival: number
  nights: number
  guests: Guests
}

export function askedStay(
  args: Arguments,
  names: readonly [string, string] = ['arrival_date', 'departure_date'],
): Asked | { fault: string } {
  const stay = stayOf(text(args, names[0]), text(args, names[1]), names)
  if ('fault' in stay) return stay
  const guests = guestsOf(args)
  return 'fault' in guests ? guests : { ...stay, guests }
}

function guestsOf(args: Arguments): Guests | { fault: string } {
  const adults = number(args, 'adults', 1)
  const rooms = number(args, 'room_qty', 1)
  if (!Number.isInteger(adults) || adults < 1 || adults > 30)
    return { fault: 'adults must be a whole number from 1 to 30' }
  if (!Number.isInteger(rooms) || rooms < 1 || rooms > 30)
    return { fault: 'room_qty must be a whole number from 1 to 30' }
  const ages = text(args, 'children_age')
    .split(',')
    .map((age) => age.trim())
    .filter(Boolean)
  const children = ages.map(Number)
  if (children.some((age) => !Number.isInteger(age) || age < 0 || age > 17))
    return { fault: 'children_age must be whole numbers from 0 to 17, separated by commas' }
  return { adults, rooms, children: children.sort((a, b) => a - b) }
}
