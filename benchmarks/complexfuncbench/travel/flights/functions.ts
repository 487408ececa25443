/** Functions about flights: locations, searches, lowest prices, details, seats. */
import type { JsonValue } from '@stateeval/contracts'
import { seatsTaken } from '../bookings/booking.ts'
import { dateOf, dayOf } from '../dates.ts'
import { rngOf } from '../draw.ts'
import {
  type Answer,
  type Arguments,
  success,
  needs,
  refused,
  takes,
  text,
  type TravelFunction,
  type View,
} from '../function.ts'
import { distance, findPlaces } from '../geography/places.ts'
import { cabinParameter, journeyOf, legsIn, simpleLegs, travellerParameters } from './journey.ts'
import {
  type Journey,
  type Leg,
  type Offer,
  offerOf,
  offersOf,
  priceShown,
  segmentShown,
  totalMinutes,
} from './offers.ts'

const searchFlightLocation: TravelFunction = {
  name: 'Search_Flight_Location',
  about:
    'Finds airports, and cities with all their airports, by name. `id` is a value of `fromId` and `toId` of searches of flights.',
  parameters: [needs('query', 'Name of an airport, a city, a region or a country.')],
  entries: [{ at: [], id: 'id' }],
  answer: (_, args) =>
    success(
      findPlaces(text(args, 'query'), ['city', 'airport'])
        .slice(0, 6)
        .map(({ type, name, code = '', city, latitude, longitude }) => ({
          id: type === 'city' ? `${city.code}.CITY` : `${code}.AIRPORT`,
          type: type.toUpperCase(),
          name,
          code: type === 'city' ? city.code : code,
          city: city.code,
          cityName: city.name,
          regionName: city.region,
          country: city.countryCode.toUpperCase(),
          countryName: city.country,
          ...(type === 'airport' && {
            distanceToCity: { value: distance(city, { latitude, longitude }), unit: 'km' },
            parent: city.code,
          }),
        })),
    ),
}

const orders: Readonly<Record<string, (offer: Offer) => number>> = {
  BEST: (offer) => offer.price / 10 + totalMinutes(offer) / 6,
  CHEAPEST: ({ price }) => price,
  FASTEST: totalMinutes,
}
const sortParameter = takes('sort', 'Order of the flights: BEST (default), CHEAPEST or FASTEST.')

function search(view: View, legs: Leg[] | { fault: string }, args: Arguments): Answer {
  if ('fault' in legs) return refused(legs.fault)
  const journey = journeyOf(legs, args)
  if ('fault' in journey) return refused(journey.fault)
  const order = orders[text(args, 'sort') || 'BEST']
  if (!order) return refused(`sort must be one of ${Object.keys(orders).join(', ')}`)
  const offers = offersOf(view.seed, journey).sort((a, b) => order(a) - order(b) || a.at - b.at)
  const prices = offers.map(({ price }) => price)
  return success({
    aggregation: {
      totalCount: offers.length,
      minPrice: { currencyCode: 'USD', units: Math.trunc(Math.min(...prices)) },
    },
    flightOffers: offers.map((offer) => ({
      token: offer.token,
      offerToken: offer.token,
      airline: offer.airline,
      segments: offer.segments.map((segment) => segmentShown(offer.airline, segment)),
      priceBreakdown: priceShown(offer.price),
      seatsLeft: seatsLeft(view, offer),
    })),
  })
}

const seatCount = 30
/** Seats that can still be booked on every flight of an offer. */
export function seatsLeft({ seed, bookings }: View, { segments, token }: Offer): number {
  const open = segments.map(({ flight, day }) => rngOf(seed, 'seats', flight, day).int(4, seatCount))
  return Math.min(...open) - seatsTaken(bookings, token)
}

const flightEntries = [{ at: ['flightOffers'], id: 'token' }]

const searchFlights: TravelFunction = {
  name: 'Search_Flights',
  about:
    'Finds flights between two places, and back where a day of return is given, with times, prices and tokens for later calls.',
  parameters: [
    needs('fromId', 'Where the flight begins: `id` of Search_Flight_Location.'),
    needs('toId', 'Where the flight ends: `id` of Search_Flight_Location.'),
    needs('departDate', 'Day of departure, as YYYY-MM-DD.'),
    takes('returnDate', 'Day of the flight back, as YYYY-MM-DD; none for one way.'),
    ...travellerParameters,
    sortParameter,
    cabinParameter,
  ],
  entries: flightEntries,
  answer: (view, args) => search(view, simpleLegs(args), args),
}

const legsParameter = needs(
  'legs',
  "The flights in their order, each an object: [{'fromId': 'BOM.AIRPORT', 'toId': 'AMD.AIRPORT', 'date': '2024-05-25'}, …].",
  'array',
)

const searchFlightsMultiStops: TravelFunction = {
  name: 'Search_Flights_Multi_Stops',
  about: 'Finds flights for a journey of several legs, with times, prices and tokens for later calls.',
  parameters: [legsParameter, ...travellerParameters, sortParameter, cabinParameter],
  entries: flightEntries,
  answer: (view, args) => search(view, legsIn(args), args),
}

/** Prices five days before and after. */
const around = 5

function lowest(seed: string, journey: Journey): JsonValue {
  const rows = Array.from({ length: 2 * around + 1 }, (_, at) => {
    const legs = journey.legs.map((leg) => ({ ...leg, date: dateOf(dayOf(leg.date)! + at - around) }))
    const price = Math.min(...offersOf(seed, { ...journey, legs }).map((offer) => offer.price))
    return { legs, price }
  })
  const least = Math.min(...rows.map(({ price }) => price))
  return rows.map(({ legs, price }) => ({
    departureDate: legs[0]!.date,
    ...(legs.length > 1 && { searchDates: legs.map(({ date }) => date) }),
    isCheapest: price === least,
    price: {
      currencyCode: 'USD',
      units: Math.trunc(price),
      nanos: Math.round((price % 1) * 100) * 10_000_000,
    },
  }))
}
function lowestOf({ seed }: View, legs: Leg[] | { fault: string }, args: Arguments): Answer {
  if ('fault' in legs) return refused(legs.fault)
  const journey = journeyOf(legs, args)
  return 'fault' in journey ? refused(journey.fault) : success(lowest(seed, journey))
}

const getMinPrice: TravelFunction = {
  name: 'Get_Min_Price',
  about:
    'Gives the lowest price of flights between two places on each day from five days before to five days after.',
  parameters: [
    needs('fromId', 'Where the flight begins: `id` of Search_Flight_Location.'),
    needs('toId', 'Where the flight ends: `id` of Search_Flight_Location.'),
    needs('departDate', 'Day of departure, as YYYY-MM-DD.'),
    takes('returnDate', 'Day of the flight back, as YYYY-MM-DD; none for one way.'),
    cabinParameter,
  ],
  answer: (view, args) => lowestOf(view, simpleLegs(args), args),
}

const getMinPriceMultiStops: TravelFunction = {
  name: 'Get_Min_Price_Multi_Stops',
  about: 'Gives the lowest price of a journey of several legs, moved by five days before to five days after.',
  parameters: [legsParameter, cabinParameter],
  answer: (view, args) => lowestOf(view, legsIn(args), args),
}

export const noOffer = (name: string) =>
  refused(`${name} does not identify an offer, or the offer has expired`)

const getFlightDetails: TravelFunction = {
  name: 'Get_Flight_Details',
  about: 'Gives the details of an offer: flights, luggage, meals, the parts of the price, insurance.',
  parameters: [needs('token', 'The offer: `token` of Search_Flights or Search_Flights_Multi_Stops.')],
  answer(view, args) {
    const match = offerOf(view.seed, text(args, 'token'))
    if (!match) return noOffer('token')
    const { journey, offer } = match
    const rng = rngOf(view.seed, 'extras', ...offer.segments.map(({ flight }) => flight))
    return success({
      token: offer.token,
      offerReference: offer.token.slice(-24),
      segments: offer.segments.map((segment) => segmentShown(offer.airline, segment)),
      priceBreakdown: priceShown(offer.price),
      travellers: [
        ...Array.from({ length: journey.adults }, () => ({ type: 'ADULT' })),
        ...journey.children.map((age) => ({ type: 'KID', age })),
      ],
      cabinClass: journey.cabin,
      includedProducts: {
        cabinLuggage: { pieces: 1, maxWeightKg: rng.pick([7, 8, 10, 12]) },
        checkedLuggage: { pieces: journey.cabin === 'ECONOMY' ? rng.int(0, 1) : 2, maxWeightKg: 23 },
        meal: rng.pick(['snack', 'hot meal', 'none']),
      },
      travelInsurance: { price: { currencyCode: 'USD', units: rng.int(9, 60), nanos: 0 } },
      seatsLeft: seatsLeft(view, offer),
    })
  },
}

const getSeatMap: TravelFunction = {
  name: 'Get_Seat_Map',
  about: 'Gives the seats of each flight of an offer: which are free, and what choosing one costs.',
  parameters: [
    needs('offerToken', 'The offer: `offerToken` of Search_Flights or Search_Flights_Multi_Stops.'),
  ],
  answer({ seed }, args) {
    const match = offerOf(seed, text(args, 'offerToken'))
    if (!match) return noOffer('offerToken')
    const { journey, offer } = match
    return success({
      cabinClass: journey.cabin,
      seatMap: offer.segments.map(({ flight, day }) => {
        const rng = rngOf(seed, 'seat-map', flight, day, journey.cabin)
        const seats = Array.from({ length: 8 }, (_, row) =>
          ['A', 'C', 'D', 'F'].map((column) => ({
            seat: `${row + 10}${column}`,
            available: rng.chance(0.6),
            price: { currencyCode: 'USD', units: rng.int(0, 45) },
          })),
        )
        return { flightNumber: flight, date: dateOf(day), seats: seats.flat() }
      }),
    })
  },
}

export const flightFunctions: readonly TravelFunction[] = [
  searchFlightLocation,
  searchFlights,
  searchFlightsMultiStops,
  getMinPrice,
  getMinPriceMultiStops,
  getFlightDetails,
  getSeatMap,
]
