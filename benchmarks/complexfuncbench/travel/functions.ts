/** All functions of the travel world, by name. */
import { attractionFunctions } from './attractions/functions.ts'
import { bookingFunctions } from './bookings/functions.ts'
import { carFunctions } from './cars/functions.ts'
import { flightFunctions } from './flights/functions.ts'
import { type TravelFunction, formatWireName } from './function.ts'
import { hotelFunctions } from './hotels/functions.ts'
import { metaFunctions } from './meta/functions.ts'
import { taxiFunctions } from './taxi/functions.ts'

export const travelFunctions: readonly TravelFunction[] = [
  ...hotelFunctions,
  ...flightFunctions,
  ...carFunctions,
  ...attractionFunctions,
  ...taxiFunctions,
  ...metaFunctions,
  ...bookingFunctions,
]

const byName = new Map(
  travelFunctions.flatMap((fn) => [[fn.name, fn] as const, [formatWireName(fn.name), fn] as const]),
)

/** Finds a function by its published name, or the one that chat APIs take. */
export const findFunction = (name: string): TravelFunction | null => byName.get(name) ?? null
