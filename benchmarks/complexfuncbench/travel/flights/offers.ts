/**
 * Flights of a seed: the offers for a journey of one or more legs. An offer's token carries the journey, so
 * details need no search.
 */
import { toJson, type JsonValue } from '@stateeval/contracts'
import { formatDay, parseDay, formatTime } from '../dates.ts'
import { createLabelRng, roundDecimals } from '../draw.ts'
import { cities, type CityFacts } from '../geography/cities.ts'
import { measureKilometres } from '../geography/places.ts'
import { readToken, writeToken } from '../token.ts'

export interface FlightLeg {
  from: string
  to: string
  date: string
}
export const cabins = ['ECONOMY', 'PREMIUM_ECONOMY', 'BUSINESS', 'FIRST'] as const
export type CabinClass = (typeof cabins)[number]

export interface FlightJourney {
  legs: FlightLeg[]
  adults: number
  /** Ages. */
  children: number[]
  cabin: CabinClass
}

interface FlightAirport {
  code: string
  name: string
  city: CityFacts
}
interface FlightSegment {
  from: FlightAirport
  to: FlightAirport
  /** Minutes since the midnight of the leg's day. */
  departure: number
  minutes: number
  stops: number
  day: number
  flight: string
}
export interface FlightOffer {
  at: number
  airline: string
  segments: FlightSegment[]
  /** US dollars for all travellers. */
  price: number
  token: string
}

const airports: FlightAirport[] = cities.flatMap((city) =>
  city.airports.map(([code, name]) => ({ code, name, city })),
)
/** Lists the airports of an id such as PAR.CITY or CDG.AIRPORT; empty where it means nothing. */
export function findAirports(id: string): FlightAirport[] {
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
const cabinFactor: Readonly<Record<CabinClass, number>> = {
  ECONOMY: 1,
  PREMIUM_ECONOMY: 1.6,
  BUSINESS: 3.1,
  FIRST: 5.2,
}
const count = 6
const prefix = 'd7699_'

const countTravellers = ({ adults, children }: FlightJourney) =>
  adults + children.reduce((sum, age) => sum + (age < 2 ? 0.15 : 0.5 + age / 40), 0)

function createSegment(
  seed: string,
  leg: FlightLeg,
  at: number,
  code: string,
): { segment: FlightSegment; cost: number } {
  const rng = createLabelRng(seed, 'flight', leg.from, leg.to, leg.date, at)
  const from = rng.pick(findAirports(leg.from))
  const to = rng.pick(findAirports(leg.to))
  const kilometres = measureKilometres(from.city, to.city)
  const stops = kilometres > 2500 ? rng.int(0, 2) : rng.int(0, 1)
  const minutes = Math.round(45 + kilometres / 13.5) + stops * rng.int(55, 190) + rng.int(0, 25)
  return {
    segment: {
      from,
      to,
      departure: rng.int(72, 264) * 5,
      minutes,
      stops,
      day: parseDay(leg.date)!,
      flight: `${code}${rng.int(100, 2999)}`,
    },
    cost: 38 + kilometres * (0.055 + rng.unit() * 0.07) * (1.25 - stops * 0.14),
  }
}

export function listFlightOffers(seed: string, journey: FlightJourney): FlightOffer[] {
  const names = createLabelRng(seed, 'airlines', ...journey.legs.map(({ from, to }) => `${from}-${to}`))
  return Array.from({ length: count }, (_, at) => {
    const [code, airline] = names.pick(airlines)
    const parts = journey.legs.map((leg) => createSegment(seed, leg, at, code))
    const cost = parts.reduce((sum, part) => sum + part.cost, 0)
    return {
      at,
      airline,
      segments: parts.map(({ segment }) => segment),
      price: roundDecimals(cost * cabinFactor[journey.cabin] * countTravellers(journey)),
      token: writeToken(seed, prefix, toJson({ ...journey, at })),
    }
  })
}

/** The offer of a token; null where this world issued none such. */
export function findFlightOffer(
  seed: string,
  token: string,
): { journey: FlightJourney; offer: FlightOffer } | null {
  const read = readToken<FlightJourney & { at: number }>(seed, prefix, token)
  if (!read) return null
  const { at, ...journey } = read
  const offer = listFlightOffers(seed, journey)[at]
  return offer ? { journey, offer } : null
}

const formatUnits = (price: number): { [key: string]: JsonValue } => ({
  currencyCode: 'USD',
  units: Math.trunc(price),
  nanos: Math.round((price - Math.trunc(price)) * 100) * 10_000_000,
})

export const describePrice = (price: number): JsonValue => ({
  total: formatUnits(price),
  baseFare: formatUnits(roundDecimals(price * 0.82)),
  tax: formatUnits(roundDecimals(price - roundDecimals(price * 0.82))),
})

const describeAirport = ({ code, name, city }: FlightAirport): JsonValue => ({
  type: 'AIRPORT',
  code,
  name,
  city: city.code,
  cityName: city.name,
  country: city.countryCode.toUpperCase(),
})
const formatStamp = (day: number, minute: number) =>
  `${formatDay(day + Math.floor(minute / 1440))}T${formatTime(minute)}:00`

export const describeSegment = (airline: string, segment: FlightSegment): JsonValue => ({
  departureAirport: describeAirport(segment.from),
  arrivalAirport: describeAirport(segment.to),
  departureTime: formatStamp(segment.day, segment.departure),
  arrivalTime: formatStamp(segment.day, segment.departure + segment.minutes),
  totalTime: segment.minutes * 60,
  stops: segment.stops,
  flightNumber: segment.flight,
  carriersData: [{ name: airline, code: segment.flight.slice(0, 2) }],
})

export const sumMinutes = ({ segments }: FlightOffer) =>
  segments.reduce((sum, { minutes }) => sum + minutes, 0)
