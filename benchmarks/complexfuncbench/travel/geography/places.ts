/** Places that can be looked up by name: cities, airports, landmarks; and how a query finds them. */
import { createLabelRng, roundDecimals } from '../draw.ts'
import { cities, type CityFacts } from './cities.ts'

export interface TravelPlace {
  type: 'city' | 'airport' | 'landmark'
  name: string
  city: CityFacts
  latitude: number
  longitude: number
  /** Code of an airport. */
  code?: string
}

const fixed = 'geography'
/** Near its city, always at the same place. */
function drawNearbyPoint(
  city: CityFacts,
  name: string,
  degrees: number,
): Pick<TravelPlace, 'latitude' | 'longitude'> {
  const rng = createLabelRng(fixed, city.name, name)
  const offset = () => (rng.unit() * 2 - 1) * degrees
  return {
    latitude: roundDecimals(city.latitude + offset(), 6),
    longitude: roundDecimals(city.longitude + offset(), 6),
  }
}

const listCityPlaces = (city: CityFacts): TravelPlace[] => [
  { type: 'city', name: city.name, city, latitude: city.latitude, longitude: city.longitude },
  ...city.airports.map(([code, name]): TravelPlace => ({
    type: 'airport',
    name,
    code,
    city,
    ...drawNearbyPoint(city, name, 0.2),
  })),
  ...city.landmarks.map((name): TravelPlace => ({
    type: 'landmark',
    name,
    city,
    ...drawNearbyPoint(city, name, 0.04),
  })),
]

export const places: readonly TravelPlace[] = cities.flatMap(listCityPlaces)
export const cityPlaces: ReadonlyMap<string, readonly TravelPlace[]> = new Map(
  cities.map((city) => [city.name, places.filter((place) => place.city === city)]),
)

/** Words without marks: `São Jorge` and `Sao Jorge` are the same. */
export const splitPlaceWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !fillers.has(word))
const fillers = new Set(['the', 'of', 'in', 'near', 'at', 'city', 'de', 'la'])

/** Everything that a place may be called by. */
const listPlaceLabels = ({ name, city, code = '' }: TravelPlace) =>
  splitPlaceWords(`${name} ${code} ${city.name} ${city.region} ${city.country} ${city.countryCode}`)
const labels = new Map(places.map((place) => [place, new Set(listPlaceLabels(place))]))

/**
 * Places whose label has every word of the query, the best first: those that are called exactly so, then
 * cities before airports before landmarks, in the order of the table.
 */
export function findPlaces(query: string, of: readonly TravelPlace['type'][]): TravelPlace[] {
  const words = splitPlaceWords(query)
  if (words.length === 0) return []
  const rank = (place: TravelPlace) => {
    const name = splitPlaceWords(place.name)
    const exact = name.length <= words.length && name.every((word) => words.includes(word))
    return (exact ? 0 : 10) + (name.join(' ') === words.join(' ') ? 0 : 5) + of.indexOf(place.type)
  }
  return places
    .filter((place) => of.includes(place.type) && words.every((word) => labels.get(place)!.has(word)))
    .map((place, at) => ({ place, at, rank: rank(place) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ place }) => place)
}

const radius = 6371
const toRadians = (degrees: number) => (degrees * Math.PI) / 180

/** Kilometres along the surface between two points given in degrees. */
export function measureKilometres(
  a: { latitude: number; longitude: number },
  b: { latitude: number; longitude: number },
): number {
  const [from, to] = [toRadians(a.latitude), toRadians(b.latitude)]
  const across = Math.sin((to - from) / 2) ** 2
  const along = Math.cos(from) * Math.cos(to) * Math.sin(toRadians(b.longitude - a.longitude) / 2) ** 2
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(across + along)))
}

/** The one that is nearest to a point; of two the first. */
export function selectNearest<T extends { latitude: number; longitude: number }>(
  all: readonly T[],
  at: { latitude: number; longitude: number },
): T {
  let [best, least] = [all[0]!, Number.POSITIVE_INFINITY]
  for (const one of all) {
    const kilometres = measureKilometres(one, at)
    if (kilometres < least) [best, least] = [one, kilometres]
  }
  return best
}
