/**
 * Rental cars of a seed: what a search between two places and times offers. A search's key carries the
 * search.
 */
import { toJson } from '@stateeval/contracts'
import { createLabelRng, drawNumberId, roundDecimals } from '../draw.ts'
import { cities } from '../geography/cities.ts'
import { measureKilometres, selectNearest, places } from '../geography/places.ts'
import { readToken, writeToken } from '../token.ts'

/** A search: coordinates as they were given, times in minutes since 1970. */
export interface CarSearch {
  pickUp: { latitude: number; longitude: number; at: number }
  dropOff: { latitude: number; longitude: number; at: number }
}
export interface RentalVehicle {
  id: number
  supplier: string
  model: string
  group: string
  automatic: boolean
  seats: number
  bags: number
  airport: boolean
  /** US dollars for the whole rental. */
  price: number
  /** Score of the supplier. */
  score: number
  reviews: number
  freeCancellation: boolean
  deposit: number
}

export const suppliers = ['Hertz', 'Avis', 'Budget', 'Sixt', 'Alamo', 'Dollar', 'Thrifty', 'Fox'] as const
const models = [
  ['Hyundai Accent', 'Economy', 5, 2],
  ['Toyota Corolla', 'Compact', 5, 2],
  ['Volkswagen Golf', 'Compact', 5, 2],
  ['Nissan Rogue', 'Intermediate SUV', 5, 3],
  ['Ford Mustang', 'Convertible', 4, 2],
  ['Chrysler Pacifica', 'Minivan', 7, 4],
  ['Mercedes C-Class', 'Premium', 5, 3],
  ['Tesla Model 3', 'Electric', 5, 2],
] as const
const prefix = 'eyJ'
/** Places without a city this near have no cars. */
const nearKm = 80

export const searchKey = (seed: string, search: CarSearch): string => writeToken(seed, prefix, toJson(search))
const readCarSearch = (seed: string, key: string): CarSearch | null => readToken(seed, prefix, key)

export const countRentalDays = ({ pickUp, dropOff }: CarSearch) =>
  Math.max(1, Math.ceil((dropOff.at - pickUp.at) / 1440))

/** The score of a supplier is the same for all of its cars in a city. */
function findSupplier(seed: string, city: string, supplier: string) {
  const rng = createLabelRng(seed, 'supplier', city, supplier)
  return { score: roundDecimals(rng.int(60, 98) / 10, 1), reviews: rng.int(20, 4000) }
}

/** Empty where no city is near. */
export function listVehicles(seed: string, search: CarSearch): RentalVehicle[] {
  const city = selectNearest(cities, search.pickUp)
  if (measureKilometres(city, search.pickUp) > nearKm) return []
  const airport = findNearestPlace(search.pickUp).type === 'airport'
  const day = Math.floor(search.pickUp.at / 1440)
  const away = measureKilometres(search.pickUp, search.dropOff)
  return suppliers.map((supplier) => {
    const carRng = createLabelRng(seed, 'car', city.name, supplier)
    const [model, group, seats, bags] = carRng.pick(models)
    const daily =
      carRng.int(24, 110) * (0.85 + createLabelRng(seed, 'car-day', city.name, supplier, day).unit() * 0.4)
    return {
      id: drawNumberId(seed, 'vehicle', city.name, supplier),
      supplier,
      model,
      group,
      seats,
      bags,
      airport,
      automatic: carRng.chance(0.6),
      price: roundDecimals(daily * countRentalDays(search) + (away > 5 ? 40 + away * 0.08 : 0)),
      freeCancellation: carRng.chance(0.7),
      deposit: carRng.int(2, 9) * 100,
      ...findSupplier(seed, city.name, supplier),
    }
  })
}

/** The known place that is nearest, and so names what was meant. */
export const findNearestPlace = (at: { latitude: number; longitude: number }) => selectNearest(places, at)

/** A car of a search; null where the key or the id is of no search of this world. */
export function findVehicle(
  seed: string,
  key: string,
  id: string,
): { search: CarSearch; vehicle: RentalVehicle } | null {
  const search = readCarSearch(seed, key)
  const vehicle = search && listVehicles(seed, search).find((one) => String(one.id) === id)
  return search && vehicle ? { search, vehicle } : null
}
