/** Functions about one car of a search have the same parameters and the same refusal. */
import type { JsonValue } from '@stateeval/contracts'
import {
  createSuccessAnswer,
  defineNeeded,
  refuseTravelCall,
  readTextArgument,
  type TravelFunction,
} from '../function.ts'
import { scoreWord } from '../hotels/inventory.ts'
import { type CarSearch, type RentalVehicle, findVehicle } from './inventory.ts'

export const describeRating = ({ score, reviews }: RentalVehicle): { [key: string]: JsonValue } => ({
  average: score.toFixed(1),
  title: scoreWord(score),
  subtitle: `${reviews} reviews`,
  localisedRating: { rawValue: score, displayValue: score.toFixed(1) },
})
interface ChosenVehicle {
  seed: string
  search: CarSearch
  vehicle: RentalVehicle
}
export const defineVehicleFunction = (
  name: string,
  about: string,
  say: (choice: ChosenVehicle) => JsonValue,
): TravelFunction => ({
  name,
  about,
  parameters: [
    defineNeeded('vehicle_id', 'The car: `vehicle_id` of Search_Car_Rentals.'),
    defineNeeded('search_key', 'The search that found it: `search_key` of Search_Car_Rentals.'),
  ],
  answer({ seed }, args) {
    const rental = findVehicle(
      seed,
      readTextArgument(args, 'search_key'),
      readTextArgument(args, 'vehicle_id'),
    )
    return rental
      ? createSuccessAnswer(say({ seed, ...rental }))
      : refuseTravelCall('no car has this vehicle_id and search_key, or the search has expired')
  },
})
