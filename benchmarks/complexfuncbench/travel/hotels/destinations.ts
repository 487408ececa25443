/**
 * Searchable hotel destinations: cities, airports, landmarks and hotels themselves, by the id that a
 * destination search gives.
 */
import { drawNumberId } from '../draw.ts'
import {
  measureKilometres,
  findPlaces,
  type TravelPlace,
  places,
  splitPlaceWords,
} from '../geography/places.ts'
import { keepRecent } from '../recent.ts'
import { type TravelHotel, listHotels } from './inventory.ts'

export interface HotelDestination {
  id: string
  type: 'city' | 'airport' | 'landmark' | 'hotel'
  name: string
  label: string
  place: Pick<TravelPlace, 'latitude' | 'longitude' | 'city'>
  hotels: readonly TravelHotel[]
}

/** Radius around a landmark or an airport in which hotels belong to it, in kilometres. */
const nearKm = 9

function describePlaceDestination(seed: string, place: TravelPlace): HotelDestination {
  const { type, name, city } = place
  const cityHotels = listHotels(seed).filter((hotel) => hotel.city === city)
  const hotels =
    type === 'city' ? cityHotels : cityHotels.filter((hotel) => measureKilometres(hotel, place) < nearKm)
  const parts = [...(type === 'city' ? [] : [name]), city.name, city.region, city.country]
  // Cities have negative ids, as in the live API.
  const id = drawNumberId(seed, 'destination', type, city.name, name)
  return {
    id: String(type === 'city' ? -id : id),
    type,
    name,
    label: parts.join(', '),
    place,
    hotels: hotels.length > 0 ? hotels : cityHotels,
  }
}
const describeHotelDestination = (hotel: TravelHotel): HotelDestination => ({
  id: String(hotel.id),
  type: 'hotel',
  name: hotel.name,
  label: `${hotel.name}, ${hotel.city.name}, ${hotel.city.country}`,
  place: hotel,
  hotels: [hotel],
})

const all = keepRecent((seed: string) => {
  const ofPlaces = new Map(places.map((place) => [place, describePlaceDestination(seed, place)] as const))
  const ofHotels = listHotels(seed).map((hotel) => ({
    destination: describeHotelDestination(hotel),
    words: new Set(splitPlaceWords(`${hotel.name} ${hotel.city.region} ${hotel.city.country}`)),
  }))
  const list = [...ofPlaces.values(), ...ofHotels.map(({ destination }) => destination)]
  return {
    ofPlaces,
    ofHotels,
    byId: new Map(list.map((destination) => [`${destination.type}/${destination.id}`, destination])),
  }
})

/**
 * Finds places, or hotels of that name where no place matches: a city's name finds places, not its hotels.
 */
export function findDestinations(seed: string, query: string): HotelDestination[] {
  const { ofPlaces, ofHotels } = all(seed)
  const words = splitPlaceWords(query)
  const placed = findPlaces(query, ['city', 'airport', 'landmark']).map((place) => ofPlaces.get(place)!)
  const hotels =
    words.length === 0 || placed.length > 0
      ? []
      : ofHotels.filter((hotel) => words.every((word) => hotel.words.has(word)))
  return [...placed, ...hotels.map(({ destination }) => destination)].slice(0, 6)
}

export const findDestination = (seed: string, type: string, id: string): HotelDestination | null =>
  all(seed).byId.get(`${type.toLowerCase()}/${id}`) ?? null
