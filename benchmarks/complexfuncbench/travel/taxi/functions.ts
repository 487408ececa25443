/** Functions about taxis: places, and rides between two of them. */
import type { JsonValue } from '@stateeval/contracts'
import { formatDay, parseDay, parseMinute, formatTime } from '../dates.ts'
import { createLabelRng, drawNumberId, roundDecimals, drawTextId } from '../draw.ts'
import {
  createSuccessAnswer,
  defineNeeded,
  refuseTravelCall,
  readTextArgument,
  type TravelFunction,
} from '../function.ts'
import {
  measureKilometres,
  findPlaces,
  type TravelPlace,
  places,
  splitPlaceWords,
} from '../geography/places.ts'
import { listHotels } from '../hotels/inventory.ts'
import { keepRecent } from '../recent.ts'
import { readToken, writeToken } from '../token.ts'

interface TaxiStop extends Pick<TravelPlace, 'name' | 'city' | 'latitude' | 'longitude'> {
  id: string
  type: string
}

const stops = keepRecent((seed: string) => {
  const stop = (type: string, place: Omit<TaxiStop, 'id' | 'type'>): TaxiStop => ({
    id: `ChIJ${drawTextId(seed, 23, 'place', type, place.city.name, place.name)}`,
    type,
    name: place.name,
    city: place.city,
    latitude: place.latitude,
    longitude: place.longitude,
  })
  const placed = new Map(places.map((place) => [place, stop(place.type, place)] as const))
  const hotels = listHotels(seed).map((hotel) => ({
    stop: stop('hotel', hotel),
    words: new Set(splitPlaceWords(`${hotel.name} ${hotel.city.country}`)),
  }))
  const all = [...placed.values(), ...hotels.map(({ stop: one }) => one)]
  return { placed, hotels, byId: new Map(all.map((one) => [one.id, one])) }
})

function findStops(seed: string, query: string): TaxiStop[] {
  const { placed, hotels } = stops(seed)
  const words = splitPlaceWords(query)
  const placeStops = findPlaces(query, ['city', 'airport', 'landmark']).map((place) => placed.get(place)!)
  const called =
    words.length === 0 || placeStops.length > 0
      ? []
      : hotels.filter((hotel) => words.every((word) => hotel.words.has(word)))
  return [...placeStops, ...called.map(({ stop }) => stop)].slice(0, 6)
}

const taxiSearchLocation: TravelFunction = {
  name: 'Taxi_Search_Location',
  about:
    'Finds places where a taxi ride can begin or end, by name: cities, airports, landmarks, hotels. Gives `googlePlaceId`.',
  parameters: [defineNeeded('query', 'Name of the place.')],
  entries: [{ at: [], id: 'googlePlaceId' }],
  answer: ({ seed }, args) =>
    createSuccessAnswer(
      findStops(seed, readTextArgument(args, 'query')).map(
        ({ id, type, name, city, latitude, longitude }) => ({
          googlePlaceId: id,
          name,
          types: type,
          city: city.name,
          country: city.country,
          countryCode: city.countryCode,
          latitude,
          longitude,
        }),
      ),
    ),
}

const categories = [
  ['STANDARD', 'Standard', 3, 2, 1],
  ['EXECUTIVE', 'Executive', 3, 2, 1.7],
  ['PEOPLE_CARRIER', 'People carrier', 5, 5, 1.4],
  ['LARGE_PEOPLE_CARRIER', 'Large people carrier', 7, 7, 1.9],
] as const
const companies = ['City Cabs', 'Blue Transfers', 'Welcome Rides', 'Metro Cars']
/** Longer rides are no taxi rides. */
const longestKm = 150
const prefix = 'taxi_'

interface TaxiRide {
  from: string
  to: string
  date: string
  time: string
  category: string
}
/** A ride that a search offered, by its `resultId`; null where none did. */
export const findRide = (seed: string, id: string): TaxiRide | null => readToken(seed, prefix, id)

const searchTaxi: TravelFunction = {
  name: 'Search_Taxi',
  about: 'Finds taxis for a ride at a time, by kind of car, with duration and price.',
  parameters: [
    defineNeeded('pick_up_place_id', 'Where the ride begins: `googlePlaceId` of Taxi_Search_Location.'),
    defineNeeded('drop_off_place_id', 'Where the ride ends: `googlePlaceId` of Taxi_Search_Location.'),
    defineNeeded('pick_up_date', 'Day of the ride, as YYYY-MM-DD.'),
    defineNeeded('pick_up_time', 'Time of the ride, as HH:MM with 24 hours.'),
  ],
  entries: [{ at: ['results'], id: 'resultId' }],
  answer({ seed }, args) {
    const { byId } = stops(seed)
    const [from, to] = [
      readTextArgument(args, 'pick_up_place_id'),
      readTextArgument(args, 'drop_off_place_id'),
    ]
    const [begin, end] = [byId.get(from), byId.get(to)]
    if (!begin) return refuseTravelCall('no place has this pick_up_place_id')
    if (!end) return refuseTravelCall('no place has this drop_off_place_id')
    const day = parseDay(readTextArgument(args, 'pick_up_date'))
    if (day === null) return refuseTravelCall('pick_up_date must be a date as YYYY-MM-DD')
    const minute = parseMinute(readTextArgument(args, 'pick_up_time'))
    if (minute === null) return refuseTravelCall('pick_up_time must be a time as HH:MM')
    const kilometres = measureKilometres(begin, end)
    if (from === to || kilometres > longestKm)
      return refuseTravelCall(
        'no taxi rides between these places: they must differ, and be at most 150 km apart',
      )
    const [date, time] = [formatDay(day), formatTime(minute)]
    const rng = createLabelRng(seed, 'taxi', from, to, date, time)
    const duration = Math.round(8 + kilometres * 1.7 + rng.int(0, 12))
    return createSuccessAnswer({
      journeys: [
        {
          pickupLocation: { locationId: from, name: begin.name, city: begin.city.name },
          dropOffLocation: { locationId: to, name: end.name, city: end.city.name },
          requestedPickupDateTime: `${date}T${time}:00`,
        },
      ],
      results: categories.map(([category, title, passengers, bags, factor]): JsonValue => ({
        resultId: writeToken(seed, prefix, { from, to, date, time, category }),
        category,
        vehicleType: title,
        passengerCapacity: passengers,
        bags,
        duration,
        drivingDistance: roundDecimals(kilometres * 1.25, 1),
        supplierName: rng.pick(companies),
        supplierId: drawNumberId(seed, 'taxi', category, from),
        price: {
          amount: roundDecimals((9 + kilometres * 1.9 + rng.int(0, 500) / 100) * factor).toFixed(2),
          currencyCode: 'USD',
        },
      })),
    })
  },
}

export const taxiFunctions: readonly TravelFunction[] = [taxiSearchLocation, searchTaxi]
