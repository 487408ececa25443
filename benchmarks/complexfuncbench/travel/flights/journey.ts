/**
 * Shared parts of flight searches: legs, travellers and cabins, as they are asked and as they are refused.
 */
import { isRecord } from '@stateeval/contracts'
import { parseDay } from '../dates.ts'
import { type FunctionArguments, readNumberArgument, defineTaken, readTextArgument } from '../function.ts'
import { findAirports, type CabinClass, cabins, type FlightJourney, type FlightLeg } from './offers.ts'

export const travellerParameters = [
  defineTaken('adults', 'Travellers of 18 years or more; 1 by default.', 'number'),
  defineTaken('children', 'Ages of all travellers under 18 in years, separated by commas, such as "0,17".'),
]
export const cabinParameter = defineTaken(
  'cabinClass',
  'Class of the flight: ECONOMY (default), PREMIUM_ECONOMY, BUSINESS or FIRST.',
)

const maxLegs = 6

/** Legs as an array of objects with fromId, toId and date. */
export function parseLegs(args: FunctionArguments): FlightLeg[] | { fault: string } {
  const { legs } = args
  if (!Array.isArray(legs) || legs.length === 0 || legs.length > maxLegs)
    return { fault: `legs must be a list of 1 to ${maxLegs} objects` }
  const read: FlightLeg[] = []
  for (const leg of legs) {
    if (!isRecord(leg)) return { fault: 'each of legs must be an object with fromId, toId and date' }
    const [from, to, date] = [leg['fromId'], leg['toId'], leg['date']].map((value) =>
      typeof value === 'string' ? value : '',
    ) as [string, string, string]
    read.push({ from, to, date })
  }
  return read
}

export function buildJourney(legs: FlightLeg[], args: FunctionArguments): FlightJourney | { fault: string } {
  for (const { from, to, date } of legs) {
    for (const [name, id] of Object.entries({ fromId: from, toId: to }))
      if (findAirports(id).length === 0)
        return { fault: `${name} ${id.slice(0, 40)} is not an airport or city` }
    if (from === to) return { fault: 'fromId and toId must differ' }
    if (parseDay(date) === null) return { fault: 'dates must be written as YYYY-MM-DD' }
  }
  if (legs.some(({ date }, at) => at > 0 && date < legs[at - 1]!.date))
    return { fault: 'each flight must be on the day of the one before it, or later' }
  const cabin = readTextArgument(args, 'cabinClass') || 'ECONOMY'
  if (!cabins.includes(cabin as CabinClass))
    return { fault: `cabinClass must be one of ${cabins.join(', ')}` }
  const adults = readNumberArgument(args, 'adults', 1)
  if (!Number.isInteger(adults) || adults < 1 || adults > 9)
    return { fault: 'adults must be a whole number from 1 to 9' }
  const ages = readTextArgument(args, 'children')
    .split(',')
    .map((age) => age.trim())
    .filter(Boolean)
    .map(Number)
  if (ages.some((age) => !Number.isInteger(age) || age < 0 || age > 17))
    return { fault: 'children must be whole numbers from 0 to 17, separated by commas' }
  return { legs, adults, children: ages.sort((a, b) => a - b), cabin: cabin as CabinClass }
}

/** A flight there, and one back where a day of return is given. */
export function listSimpleLegs(args: FunctionArguments): FlightLeg[] {
  const [from, to, back] = [
    readTextArgument(args, 'fromId'),
    readTextArgument(args, 'toId'),
    readTextArgument(args, 'returnDate'),
  ]
  const there = { from, to, date: readTextArgument(args, 'departDate') }
  return back ? [there, { from: to, to: from, date: back }] : [there]
}
