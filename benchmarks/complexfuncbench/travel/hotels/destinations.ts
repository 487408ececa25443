/**
 * Searchable hotel destinations: cities, airports, landmarks and hotels themselves, by the id that a
 * destination search gives.
 */
import { numberId } from '../draw.ts'
import { distance, findPlaces, type Place, places, wordsOf } from '../geography/places.ts'
import { recent } from '../recent.ts'
import { type Hotel, hotelsOf } from './inventory.ts'

export interface Destination {
  id: string
  type: 'city' | 'airport' | 'landmark' | 'hotel'
  name: string
  label: string
  place: Pick<Place, 'latitude' | 'longitude' | 'city'>
  hotels: readonly Hotel[]
}

/** Hotels around a landmark or an airport. */
const nearKm = 9

function ofPlace(seed: string, place: Place): Destination {
  const { type, name, city } = place
  const cityHotels = hotelsOf(seed).filter((hotel) => hotel.city === city)
  const hotels = type === 'city' ? cityHotels : cityHotels.filter((hotel) => distance(hotel, place) < nearKm)
  const parts = [...(type === 'city' ? [] : [name]), city.name, city.region, city.country]
  // Cities have negative ids, as in the live API.
  const id = numberId(seed, 'destination', type, city.name, name)
  return {
    id: String(type === 'city' ? -id : id),
    type,
    name,
    label: parts.join(', '),
    place,
    hotels: hotels.length > 0 ? hotels : cityHotels,
  }
}
const ofHotel = (hotel: Hotel): Destination => ({
  id: String(hotel.id),
  type: 'hotel',
  name: hotel.name,
  label: `${hotel.name}, ${hotel.city.name}, ${hotel.city.country}`,
  place: hotel,
  hotels: [hotel],
})

const all = recent((seed: string) => {
  const ofPlaces = new Map(places.map((place) => [place, ofPlace(seed, place)] as const))
  const ofHotels = hotelsOf(seed).map((hotel) => ({
    destination: ofHotel(hotel),
    words: new Set(wordsOf(`${hotel.name} ${hotel.city.region} ${hotel.city.country}`)),
  }))
  const list = [...ofPlaces.values(), ...ofHotels.map(({ destination }) => destination)]
  return {
    ofPlaces,
    ofHotels,
    byId: new Map(list.map((destination) => [`${destination.type}/${destination.id}`, destination])),
  }
})

/** Places first, then hotels that are called so; a name of a city alone finds its places, not its hotels. */
export function findDestinations(seed: string, query: string): Destination[] {
  const { ofPlaces, ofHotels } = all(seed)
  const words = wordsOf(query)
  const placed = findPlaces(query, ['city', 'airport', 'landmark']).map((place) => ofPlaces.get(place)!)
  const hotels =
    words.length === 0 || placed.length > 0
      ? []
      : ofHotels.filter((hotel) => words.every((word) => hotel.words.has(word)))
  return [...placed, ...hotels.map(({ destination }) => destination)].slice(0, 6)
}

export const destinationOf = (seed: string, type: string, id: string): Destination | null =>
  all(seed).byId.get(`${type.toLowerCase()}/${id}`) ?? null
