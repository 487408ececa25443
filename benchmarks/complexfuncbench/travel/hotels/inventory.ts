/**
 * Hotels of a seed, with their rooms and prices. Everything that a function says of a hotel comes from here.
 */
import { createLabelRng, drawNumberId, roundDecimals } from '../draw.ts'
import { cities, type CityFacts } from '../geography/cities.ts'
import { keepRecent } from '../recent.ts'

export interface HotelRoom {
  id: number
  name: string
  /** Guests that it takes. */
  sleeps: number
  /** How many of them the hotel has. */
  count: number
  /** Factor of the hotel's price. */
  factor: number
  refundable: boolean
}
export interface TravelHotel {
  id: number
  name: string
  city: CityFacts
  latitude: number
  longitude: number
  stars: number
  score: number
  reviews: number
  /** US dollars for one guest and night, before the day's factor. */
  nightly: number
  facilities: readonly string[]
  payments: readonly string[]
  breakfast: boolean
  rooms: readonly HotelRoom[]
}

/** Filters of hotels: the id in `categories_filter` and its title. */
export const facilities: Readonly<Record<string, string>> = {
  'facility::433': 'Swimming pool',
  'facility::107': 'Free WiFi',
  'facility::2': 'Parking',
  'facility::11': 'Fitness centre',
  'facility::54': 'Spa and wellness centre',
  'facility::4': 'Pets allowed',
  'facility::17': 'Airport shuttle',
  'facility::28': 'Family rooms',
}
const chains = [
  'Hyatt',
  'Marriott',
  'Four Seasons',
  'Shangri-La',
  'InterContinental',
  'Holiday Inn',
  'Hilton',
  'Novotel',
  'Ibis',
  'Radisson',
  'Mercure',
  'Sheraton',
]
const payments = [
  'Visa',
  'Mastercard',
  'American Express',
  'JCB',
  'Maestro',
  'Diners Club',
  'UnionPay',
  'Cash',
]
const roomNames = ['Standard Double Room', 'Superior Twin Room', 'Deluxe King Room', 'Family Suite'] as const

function createTravelHotel(seed: string, city: CityFacts, chain: string): TravelHotel {
  const rng = createLabelRng(seed, 'hotel', city.name, chain)
  const stars = rng.int(2, 5)
  const near = () => rng.unit() * 0.09 - 0.045
  const name = `${chain} ${city.name}`
  return {
    id: drawNumberId(seed, 'hotel', name),
    name,
    city,
    latitude: roundDecimals(city.latitude + near(), 6),
    longitude: roundDecimals(city.longitude + near(), 6),
    stars,
    score: roundDecimals(rng.int(62, 97) / 10, 1),
    reviews: rng.int(80, 9000),
    nightly: 25 + stars * rng.int(12, 34),
    facilities: rng.sample(Object.keys(facilities), rng.int(3, 7)).sort(),
    payments: rng.sample(payments, rng.int(3, 6)).sort(),
    breakfast: rng.chance(0.5),
    rooms: roomNames.map((room, at) => ({
      id: drawNumberId(seed, 'room', name, room),
      name: room,
      sleeps: at === 3 ? 5 : at + 2,
      count: rng.int(2, 6),
      factor: roundDecimals(1 + at * 0.22 + rng.unit() * 0.1),
      refundable: rng.chance(0.5),
    })),
  }
}

const inventory = keepRecent((seed: string) => {
  const hotels = cities.flatMap((city) =>
    createLabelRng(seed, 'chains', city.name)
      .sample(chains, 8)
      .map((chain) => createTravelHotel(seed, city, chain)),
  )
  return { hotels, byId: new Map(hotels.map((hotel) => [String(hotel.id), hotel])) }
})

export const listHotels = (seed: string): readonly TravelHotel[] => inventory(seed).hotels
export const findHotelById = (seed: string, id: string): TravelHotel | null =>
  inventory(seed).byId.get(id) ?? null

export interface HotelGuests {
  adults: number
  rooms: number
  /** Ages of children. */
  children: readonly number[]
}

/**
 * US dollars for a stay: each night has its own price; more guests in a room pay more, children by their age.
 */
export function computeStayPrice(
  seed: string,
  { id, nightly }: TravelHotel,
  { arrival, nights }: { arrival: number; nights: number },
  { adults, rooms, children }: HotelGuests,
): number {
  let total = 0
  for (let night = arrival; night < arrival + nights; night++)
    total += nightly * (0.8 + createLabelRng(seed, 'night', id, night).unit() * 0.5)
  const guests = adults + children.reduce((sum, age) => sum + 0.25 + age * 0.03, 0)
  return roundDecimals(total * rooms * (1 + 0.15 * (guests / rooms - 1)))
}

/** Rooms of a kind that others have not taken on the worst day of a stay. */
export function countRoomsLeft(
  seed: string,
  room: HotelRoom,
  { arrival, nights }: { arrival: number; nights: number },
): number {
  let left = room.count
  for (let night = arrival; night < arrival + nights; night++)
    left = Math.min(
      left,
      room.count - createLabelRng(seed, 'taken', room.id, night).int(0, Math.max(0, room.count - 2)),
    )
  return left
}

export const scoreWord = (score: number): string =>
  score >= 9 ? 'Superb' : score >= 8 ? 'Very good' : score >= 7 ? 'Good' : 'Pleasant'
