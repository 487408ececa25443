/**
 * Flights of a seed: the offers for a journey of one or more legs. An offer's token carries the journey, so
 * details need no search.
 */
import { toJson, type JsonValue } from '@stateeval/contracts'
import { dateOf, dayOf, timeOf } from '../dates.ts'
import { rngOf, round } from '../draw.ts'
import { cities, type CityFacts } from '../geography/cities.ts'
import { distance } from '../geography/places.ts'
import { readToken, writeToken } from '../token.ts'

export interface Leg {
  from: string
  to: string
  date: string
}
export const cabins = ['ECONOMY', 'PREMIUM_ECONOMY', 'BUSINESS', 'FIRST'] as const
export type Cabin = (typeof cabins)[number]

export interface Journey {
  legs: Leg[]
  adults: number
  /** Ages. */
  children: number[]
  cabin: Cabin
}

interface Airport {
  code: string
  name: string
  city: CityFacts
}
export interface Segment {
  from: Airport
  to: Airport
  /** Minutes since the midnight of the leg's day. */
  departure: number
  minutes: number
  stops: number
  day: number
  flight: string
}
export interface Offer {
  at: number
  airline: string
  segments: Segment[]
  /** US dollars for all travellers. */
  price: number
  token: string
}

const airports: Airport[] = cities.flatMap((city) =>
  city.airports.map(([code, name]) => ({ code, name, city })),
)
/** Lists the airports of an id such as PAR.CITY or CDG.AIRPORT; empty where it means nothing. */
export function airportsOf(id: string): Airport[] {
  const [, code, kind] = /^([A-Z]{3})\.(CITY|AIRPORT)$/.exec(id) ?? []
  return airports.filter((airport) => (kind === 'CITY' ? airport.city.code : airport.code) === code)
}

const airlines = [
  ['AF', 'Air France'],
  ['BA', 'British Airways'],
  ['LH', 'Lufthansa'],
  ['UA', 'United Airlines'],
  ['DL', 'Delta Air Lines'],
  ['EK', 'Emirates'],
  ['SQ', 'Singapore Airlines'],
  ['QF', 'Qantas'],
  ['NH', 'All Nippon Airways'],
] as const
const cabinFactor: Readonly<Record<Cabin, number>> = {
  ECONOMY: 1,
  PREMIUM_ECONOMY: 1.6,
  BUSINESS: 3.1,
  FIRST: 5.2,
}
const count = 6
const prefix = 'd7699_'

const travellers = ({ adults, children }: Journey) =>
  adults + children.reduce((sum, age) => sum + (age < 2 ? 0.15 : 0.5 + age / 40), 0)

function segmentOf(seed: string, leg: Leg, at: number, code: string): { segment: Segment; cost: number } {
  const rng = rngOf(seed, 'flight', leg.from, leg.to, leg.date, at)
  const from = rng.pick(airportsOf(leg.from))
  const to = rng.pick(airportsOf(leg.to))
  const kilometres = distance(from.city, to.city)
  const stops = kilometres > 2500 ? rng.int(0, 2) : rng.int(0, 1)
  const minutes = Math.round(45 + kilometres / 13.5) + stops * rng.int(55, 190) + rng.int(0, 25)
  return {
    segment: {
      from,
      to,
      departure: rng.int(72, 264) * 5,
      minutes,
      stops,
      day: dayOf(leg.date)!,
      flight: `${code}${rng.int(100, 2999)}`,
    },
    cost: 38 + kilometres * (0.055 + rng.unit() * 0.07) * (1.25 - stops * 0.14),
  }
}

export function offersOf(seed: string, journey: Journey): Offer[] {
  const names = rngOf(seed, 'airlines', ...journey.legs.map(({ from, to }) => `${from}-${to}`))
  return Array.from({ length: count }, (_, at) => {
    const [code, airline] = names.pick(airlines)
    const parts = journey.legs.map((leg) => segmentOf(seed, leg, at, code))
    const cost = parts.reduce((sum, part) => sum + part.cost, 0)
    return {
      at,
      airline,
      segments: parts.map(({ segment }) => segment),
      price: round(cost * cabinFactor[journey.cabin] * travellers(journey)),
      token: writeToken(seed, prefix, toJson({ ...journey, at })),
    }
  })
}

/** The offer of a token; null where this world issued none such. */
export function offerOf(seed: string, token: string): { journey: Journey; offer: Offer } | null {
  const read = readToken<Journey & { at: number }>(seed, prefix, token)
  if (!read) return null
  const { at, ...journey } = read
  const offer = offersOf(seed, journey)[at]
  return offer ? { journey, offer } : null
}

const units = (price: number): { [key: string]: JsonValue } => ({
  currencyCode: 'USD',
  units: Math.trunc(price),
  nanos: Math.round((price - Math.trunc(price)) * 100) * 10_000_000,
})

export const priceShown = (price: number): JsonValue => ({
  total: units(price),
  baseFare: units(round(price * 0.82)),
  tax: units(round(price - round(price * 0.82))),
})

const airportShown = ({ code, name, city }: Airport): JsonValue => ({
  type: 'AIRPORT',
  code,
  name,
  city: city.code,
  cityName: city.name,
  country: city.countryCode.toUpperCase(),
})
const stamp = (day: number, minute: number) =>
  `${dateOf(day + Math.floor(minute / 1440))}T${timeOf(minute)}:00`

export const segmentShown = (airline: string, segment: Segment): JsonValue => ({
  departureAirport: airportShown(segment.from),
  arrivalAirport: airportShown(segment.to),
  departureTime: stamp(segment.day, segment.departure),
  arrivalTime: stamp(segment.day, segment.departure + segment.minutes),
  totalTime: segment.minutes * 60,
  stops: segment.stops,
  flightNumber: segment.flight,
  carriersData: [{ name: airline, code: segment.flight.slice(0, 2) }],
})

export const totalMinutes = ({ segments }: Offer) => segments.reduce((sum, { minutes }) => sum + minutes, 0)
