/** Functions about one car of a search have the same parameters and the same refusal. */
import type { JsonValue } from '@stateeval/contracts'
import { success, needs, refused, text, type TravelFunction } from '../function.ts'
import { scoreWord } from '../hotels/inventory.ts'
import { type CarSearch, type Vehicle, vehicleOf } from './inventory.ts'

export const rating = ({ score, reviews }: Vehicle): { [key: string]: JsonValue } => ({
  average: score.toFixed(1),
  title: scoreWord(score),
  subtitle: `${reviews} reviews`,
  localisedRating: { rawValue: score, displayValue: score.toFixed(1) },
})
interface Chosen {
  seed: string
  search: CarSearch
  vehicle: Vehicle
}
export const ofVehicle = (
  name: string,
  about: string,
  say: (choice: Chosen) => JsonValue,
): TravelFunction => ({
  name,
  about,
  parameters: [
    needs('vehicle_id', 'The car: `vehicle_id` of Search_Car_Rentals.'),
    needs('search_key', 'The search that found it: `search_key` of Search_Car_Rentals.'),
  ],
  answer({ seed }, args) {
    const rental = vehicleOf(seed, text(args, 'search_key'), text(args, 'vehicle_id'))
    return rental
      ? success(say({ seed, ...rental }))
      : refused('no car has this vehicle_id and search_key, or the search has expired')
  },
})
