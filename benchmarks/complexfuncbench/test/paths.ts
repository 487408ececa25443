/** Golden paths for scripted dialogues, small enough to be followed by hand. */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import { listFunctions } from '../sample/functions.ts'
import { define, makeOptional, text, type SampleFunction } from '../sample/schema.ts'
import { type Here, hereWith } from './here.ts'

export type Call = readonly [name: string, args: JsonObject]
export interface Path {
  turns: readonly (readonly Call[])[]
  functions: readonly SampleFunction[]
}

/** A path as a case. The response to the n-th call of turn m is {"status": true, "data": "m.n"}. */
export function caseOf(path: Path): Here {
  return hereWith({ 'path.jsonl': lineOfPath(path) })
}

/** The same in the published format. */
export function lineOfPath({ turns, functions }: Path): string {
  const conversations: JsonValue[] = [
    { role: 'user', content: 'Do it.' },
    ...turns.flatMap((calls, turn): JsonValue[] => [
      {
        role: 'assistant',
        function_call: calls.map(([name, args]) => ({ name, arguments: args })),
      },
      {
        role: 'observation',
        content: calls.map((_, at) => ({ status: true, data: `${turn}.${at}` })),
      },
    ]),
    { role: 'assistant', content: 'Done.' },
  ]
  return JSON.stringify({ id: 'Hotels-1', conversations, functions: [...functions] })
}

/** Calls with some arguments changed, added, or (undefined) left out. */
export const but = ([name, args]: Call, changes: Readonly<Record<string, JsonValue | undefined>>): Call => [
  name,
  Object.fromEntries(
    Object.entries({ ...args, ...changes }).filter(
      (entry): entry is [string, JsonValue] => entry[1] !== undefined,
    ),
  ),
]

export const lis: Call = ['Search_Flight_Location', { query: 'Lisbon' }]
export const osl: Call = ['Search_Flight_Location', { query: 'Oslo' }]
export const flights: Call = [
  'Search_Flights',
  {
    fromId: 'LIS.AIRPORT',
    toId: 'OSL.AIRPORT',
    departDate: '2024-11-14',
    adults: 1,
    sort: 'CHEAPEST',
    cabinClass: 'ECONOMY',
  },
]
export const details: Call = ['Get_Flight_Details', { token: 't1' }]
export const seats: Call = ['Get_Seat_Map', { offerToken: 'o1' }]
const flightFunctions = [
  'Search_Flight_Location',
  'Search_Flights',
  'Get_Flight_Details',
  'Get_Seat_Map',
  'Get_Min_Price',
  'Search_Flights_Multi_Stops',
]
/** Two free calls, then a search, then two calls in parallel: 5 calls in 3 turns. */
export const trip: Path = {
  turns: [[lis, osl], [flights], [details, seats]],
  functions: listFunctions(flightFunctions),
}
export const legs = [
  { fromId: 'OSL.AIRPORT', toId: 'LIS.AIRPORT', date: '2024-12-01' },
  { fromId: 'LIS.AIRPORT', toId: 'OSL.AIRPORT', date: '2024-12-09' },
]
export const multiStops: Call = ['Search_Flights_Multi_Stops', { legs }]
export const round: Path = { turns: [[multiStops], [details]], functions: trip.functions }
/** The golden search has the default of `sort`. */
export const best: Path = { ...trip, turns: [[lis, osl], [but(flights, { sort: 'BEST' })], [details, seats]] }

export const porto: Call = ['Search_Hotel_Destination', { query: 'Porto' }]
export const hotels: Call = [
  'Search_Hotels',
  {
    dest_id: '1',
    search_type: 'city',
    arrival_date: '2024-12-03',
    departure_date: '2024-12-06',
    adults: 2,
    room_qty: 1,
    categories_filter: 'facility::433,facility::2',
  },
]
export const policies = (hotel: string): Call => ['Get_Hotel_Policies', { hotel_id: hotel }]
export const taxi = (query: string): Call => ['Taxi_Search_Location', { query }]
export const latLong: Call = ['Location_to_Lat_Long', { query: 'Opera' }]
const hotelFunctions = listFunctions([
  'Search_Hotel_Destination',
  'Search_Hotels',
  'Get_Hotel_Policies',
  'Get_Hotel_Reviews(Tips)',
  'Taxi_Search_Location',
  'Location_to_Lat_Long',
])
export const hotelPath = (...turns: readonly (readonly Call[])[]): Path => ({
  turns,
  functions: hotelFunctions,
})
export const stay = hotelPath([porto], [hotels], [policies('7')])
export const oneHotel = but(hotels, { search_type: 'hotel', categories_filter: undefined })

/** A function that the table of exact parameters does not have. */
export const weather: Call = ['Get_Weather', { city: 'Porto' }]
export const unlisted: Path = {
  turns: [[policies('7')], [weather]],
  functions: [
    ...hotelFunctions,
    define('Get_Weather', 'Tells the weather.', { city: text('Where.'), day: makeOptional(text('When.')) }),
  ],
}
/** A free call whose arguments were recorded in another order than by name. */
export const lisIn: Call = ['Search_Flight_Location', { query: 'Lisbon', languagecode: 'en' }]
export const unsorted: Path = {
  turns: [[lisIn], [flights], [details]],
  functions: [
    define('Search_Flight_Location', 'Finds places.', {
      query: text('What.'),
      languagecode: makeOptional(text('In which language.')),
    }),
    ...listFunctions(flightFunctions.slice(1)),
  ],
}
/** Functions that the released format check crashes at. */
export const odd: Path = {
  ...hotelPath([policies('7')], [hotels]),
  functions: [
    ...hotelFunctions,
    { name: 'No_Required', description: '', parameters: { type: 'object', properties: {} } },
    {
      name: 'No_Type',
      description: '',
      parameters: { type: 'object', properties: { any: { description: 'Anything.' } }, required: [] },
    },
  ],
}
/** A filter of a type that nobody checks, and that is null. */
export const filtered = but(hotels, { categories_filter: null })
export const nullFilter: Path = {
  ...hotelPath([filtered], [policies('7')]),
  functions: hotelFunctions.map((one) =>
    one.name === 'Search_Hotels'
      ? {
          ...one,
          parameters: {
            ...one.parameters,
            properties: {
              ...(one.parameters['properties'] as JsonObject),
              categories_filter: { type: ['string', 'null'], description: 'Filters.' },
            },
          },
        }
      : one,
  ),
}
/** search_type may be left out, and is. */
export const untyped: Path = {
  ...hotelPath([but(hotels, { search_type: undefined })], [policies('7')]),
  functions: listFunctions(['Search_Hotels', 'Get_Hotel_Policies']).map((one) =>
    one.name === 'Search_Hotels'
      ? { ...one, parameters: { ...one.parameters, required: ['dest_id', 'arrival_date', 'departure_date'] } }
      : one,
  ),
}
