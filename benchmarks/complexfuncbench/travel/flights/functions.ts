/** Functions about flights: locations, searches, lowest prices, details, seats. */
import { getOwnMember, type JsonValue } from '@stateeval/contracts'
import { countTakenSeats } from '../bookings/booking.ts'
import { formatDay, parseDay } from '../dates.ts'
import { createLabelRng } from '../draw.ts'
import {
  type FunctionAnswer,
  type FunctionArguments,
  createSuccessAnswer,
  defineNeeded,
  refuseTravelCall,
  defineTaken,
  readTextArgument,
  type TravelFunction,
  type WorldView,
} from '../function.ts'
import { measureKilometres, findPlaces } from '../geography/places.ts'
import { cabinParameter, buildJourney, parseLegs, listSimpleLegs, travellerParameters } from './journey.ts'
import {
  type FlightJourney,
  type FlightLeg,
  type FlightOffer,
  findFlightOffer,
  listFlightOffers,
  describePrice,
  describeSegment,
  sumMinutes,
} from './offers.ts'

const searchFlightLocation: TravelFunction = {
  name: 'Search_Flight_Location',
  about:
    'Finds airports, and cities with all their airports, by name. `id` is a value of `fromId` and `toId` of searches of flights.',
  parameters: [defineNeeded('query', 'Name of an airport, a city, a region or a country.')],
  entries: [{ at: [], id: 'id' }],
  answer: (_, args) =>
    createSuccessAnswer(
      findPlaces(readTextArgument(args, 'query'), ['city', 'airport'])
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
            distanceToCity: { value: measureKilometres(city, { latitude, longitude }), unit: 'km' },
            parent: city.code,
          }),
        })),
    ),
}

const orders: Readonly<Record<string, (offer: FlightOffer) => number>> = {
  BEST: (offer) => offer.price / 10 + sumMinutes(offer) / 6,
  CHEAPEST: ({ price }) => price,
  FASTEST: sumMinutes,
}
const sortParameter = defineTaken('sort', 'Order of the flights: BEST (default), CHEAPEST or FASTEST.')

function search(
  view: WorldView,
  legs: FlightLeg[] | { fault: string },
  args: FunctionArguments,
): FunctionAnswer {
  if ('fault' in legs) return refuseTravelCall(legs.fault)
  const journey = buildJourney(legs, args)
  if ('fault' in journey) return refuseTravelCall(journey.fault)
  const order = getOwnMember(orders, readTextArgument(args, 'sort') || 'BEST')
  if (!order) return refuseTravelCall(`sort must be one of ${Object.keys(orders).join(', ')}`)
  const offers = listFlightOffers(view.seed, journey).sort((a, b) => order(a) - order(b) || a.at - b.at)
  const prices = offers.map(({ price }) => price)
  return createSuccessAnswer({
    aggregation: {
      totalCount: offers.length,
      minPrice: { currencyCode: 'USD', units: Math.trunc(Math.min(...prices)) },
    },
    flightOffers: offers.map((offer) => ({
      token: offer.token,
      offerToken: offer.token,
      airline: offer.airline,
      segments: offer.segments.map((segment) => describeSegment(offer.airline, segment)),
      priceBreakdown: describePrice(offer.price),
      seatsLeft: countSeatsLeft(view, offer),
    })),
  })
}

const seatCount = 30
/** Seats that can still be booked on every flight of an offer. */
export function countSeatsLeft({ seed, bookings }: WorldView, { segments, token }: FlightOffer): number {
  const open = segments.map(({ flight, day }) => createLabelRng(seed, 'seats', flight, day).int(4, seatCount))
  return Math.min(...open) - countTakenSeats(bookings, token)
}

const flightEntries = [{ at: ['flightOffers'], id: 'token' }]

const searchFlights: TravelFunction = {
  name: 'Search_Flights',
  about:
    'Finds flights between two places, and back where a day of return is given, with times, prices and tokens for later calls.',
  parameters: [
    defineNeeded('fromId', 'Where the flight begins: `id` of Search_Flight_Location.'),
    defineNeeded('toId', 'Where the flight ends: `id` of Search_Flight_Location.'),
    defineNeeded('departDate', 'Day of departure, as YYYY-MM-DD.'),
    defineTaken('returnDate', 'Day of the flight back, as YYYY-MM-DD; none for one way.'),
    ...travellerParameters,
    sortParameter,
    cabinParameter,
  ],
  entries: flightEntries,
  answer: (view, args) => search(view, listSimpleLegs(args), args),
}

const legsParameter = defineNeeded(
  'legs',
  "The flights in their order, each an object: [{'fromId': 'BOM.AIRPORT', 'toId': 'AMD.AIRPORT', 'date': '2024-05-25'}, …].",
  'array',
)

const searchFlightsMultiStops: TravelFunction = {
  name: 'Search_Flights_Multi_Stops',
  about: 'Finds flights for a journey of several legs, with times, prices and tokens for later calls.',
  parameters: [legsParameter, ...travellerParameters, sortParameter, cabinParameter],
  entries: flightEntries,
  answer: (view, args) => search(view, parseLegs(args), args),
}

/** Prices five days before and after. */
const around = 5

function findLowestFares(seed: string, journey: FlightJourney): JsonValue {
  const rows = Array.from({ length: 2 * around + 1 }, (_, at) => {
    const legs = journey.legs.map((leg) => ({ ...leg, date: formatDay(parseDay(leg.date)! + at - around) }))
    const price = Math.min(...listFlightOffers(seed, { ...journey, legs }).map((offer) => offer.price))
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
function describeLowestFares(
  { seed }: WorldView,
  legs: FlightLeg[] | { fault: string },
  args: FunctionArguments,
): FunctionAnswer {
  if ('fault' in legs) return refuseTravelCall(legs.fault)
  const journey = buildJourney(legs, args)
  return 'fault' in journey
    ? refuseTravelCall(journey.fault)
    : createSuccessAnswer(findLowestFares(seed, journey))
}

const getMinPrice: TravelFunction = {
  name: 'Get_Min_Price',
  about:
    'Gives the lowest price of flights between two places on each day from five days before to five days after.',
  parameters: [
    defineNeeded('fromId', 'Where the flight begins: `id` of Search_Flight_Location.'),
    defineNeeded('toId', 'Where the flight ends: `id` of Search_Flight_Location.'),
    defineNeeded('departDate', 'Day of departure, as YYYY-MM-DD.'),
    defineTaken('returnDate', 'Day of the flight back, as YYYY-MM-DD; none for one way.'),
    cabinParameter,
  ],
  answer: (view, args) => describeLowestFares(view, listSimpleLegs(args), args),
}

const getMinPriceMultiStops: TravelFunction = {
  name: 'Get_Min_Price_Multi_Stops',
  about: 'Gives the lowest price of a journey of several legs, moved by five days before to five days after.',
  parameters: [legsParameter, cabinParameter],
  answer: (view, args) => describeLowestFares(view, parseLegs(args), args),
}

export const refuseNoOffer = (name: string) =>
  refuseTravelCall(`${name} does not identify an offer, or the offer has expired`)

const getFlightDetails: TravelFunction = {
  name: 'Get_Flight_Details',
  about: 'Gives the details of an offer: flights, luggage, meals, the parts of the price, insurance.',
  parameters: [defineNeeded('token', 'The offer: `token` of Search_Flights or Search_Flights_Multi_Stops.')],
  answer(view, args) {
    const match = findFlightOffer(view.seed, readTextArgument(args, 'token'))
    if (!match) return refuseNoOffer('token')
    const { journey, offer } = match
    const rng = createLabelRng(view.seed, 'extras', ...offer.segments.map(({ flight }) => flight))
    return createSuccessAnswer({
      token: offer.token,
      offerReference: offer.token.slice(-24),
      segments: offer.segments.map((segment) => describeSegment(offer.airline, segment)),
      priceBreakdown: describePrice(offer.price),
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
      seatsLeft: countSeatsLeft(view, offer),
    })
  },
}

const getSeatMap: TravelFunction = {
  name: 'Get_Seat_Map',
  about: 'Gives the seats of each flight of an offer: which are free, and what choosing one costs.',
  parameters: [
    defineNeeded('offerToken', 'The offer: `offerToken` of Search_Flights or Search_Flights_Multi_Stops.'),
  ],
  answer({ seed }, args) {
    const match = findFlightOffer(seed, readTextArgument(args, 'offerToken'))
    if (!match) return refuseNoOffer('offerToken')
    const { journey, offer } = match
    return createSuccessAnswer({
      cabinClass: journey.cabin,
      seatMap: offer.segments.map(({ flight, day }) => {
        const rng = createLabelRng(seed, 'seat-map', flight, day, journey.cabin)
        const seats = Array.from({ length: 8 }, (_, row) =>
          ['A', 'C', 'D', 'F'].map((column) => ({
            seat: `${row + 10}${column}`,
            available: rng.chance(0.6),
            price: { currencyCode: 'USD', units: rng.int(0, 45) },
          })),
        )
        return { flightNumber: flight, date: formatDay(day), seats: seats.flat() }
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
