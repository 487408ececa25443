/** Conversations of the domain Flights. */
import { call, type SampleConversation } from './write.ts'

const searchFlightCity = (query: string, id: string) =>
  call('Search_Flight_Location', { query }, [{ id, type: id.split('.')[1]!, name: query }])

/** Tokens are long, as the real ones are: about 500 characters that must be copied. */
const createOfferToken = (seed: string) =>
  `d7699_${Array.from({ length: 12 }, (_, n) => `${seed}${((n + 7) * 7919).toString(36)}H4sIAAAAAAAA_8tPTUzMjlYK${(n * n + 31).toString(16)}`).join('')}`

const lisbonOslo = { fromId: 'LIS.AIRPORT', toId: 'OSL.AIRPORT', departDate: '2024-11-14' }
const legs = [
  { fromId: 'OSL.AIRPORT', toId: 'NRT.AIRPORT', date: '2024-11-20' },
  { fromId: 'NRT.AIRPORT', toId: 'LIS.AIRPORT', date: '2024-12-01' },
  { fromId: 'LIS.AIRPORT', toId: 'OSL.AIRPORT', date: '2024-12-09' },
]

export const flights: readonly SampleConversation[] = [
  {
    id: 'Flights-0',
    query:
      'I fly alone from Lisbon to Oslo on 14 November 2024. Find the cheapest flight in economy class and tell me what its window seats cost.',
    turns: [
      [searchFlightCity('Lisbon', 'LIS.AIRPORT'), searchFlightCity('Oslo', 'OSL.AIRPORT')],
      [
        call('Search_Flights', { ...lisbonOslo, sort: 'CHEAPEST', cabinClass: 'ECONOMY', adults: 1 }, {
          flightOffers: [{ token: createOfferToken('a'), price: 143, departure: '06:40', arrival: '12:55' }],
        }),
      ],
      [
        call('Get_Flight_Details', { token: createOfferToken('a') }, {
          offerReference: createOfferToken('b'),
          segments: [{ carrier: 'NX', number: 418 }],
        }),
      ],
      [
        call('Get_Seat_Map', { offerToken: createOfferToken('b') }, {
          seats: [
            { row: 12, column: 'A', description: 'window', price: 9.5 },
            { row: 12, column: 'C', description: 'aisle', price: 7.0 },
          ],
        }),
      ],
    ],
    answer: 'The cheapest flight (143 USD) leaves at 06:40. A window seat in row 12 costs 9.50 USD.',
    others: ['Get_Min_Price', 'Search_Flights_Multi_Stops'],
  },
  {
    id: 'Flights-1',
    query:
      'My wife and I fly from Oslo to Tokyo Narita on 20 November, to Lisbon on 1 December and back to Oslo on 9 December 2024. What is the fastest way in business class?',
    turns: [
      [searchFlightCity('Oslo', 'OSL.AIRPORT'), searchFlightCity('Tokyo Narita', 'NRT.AIRPORT'), searchFlightCity('Lisbon', 'LIS.AIRPORT')],
      [
        call('Search_Flights_Multi_Stops', { legs, adults: 2, cabinClass: 'BUSINESS', sort: 'FASTEST' }, {
          flightOffers: [{ token: createOfferToken('c'), price: 7310, hours: 41 }],
        }),
      ],
      [call('Get_Flight_Details', { token: createOfferToken('c') }, { segments: [{ carrier: 'SK', number: 983 }] })],
    ],
    answer: 'The fastest way takes 41 hours in the air and costs 7,310 USD; it begins with SK 983.',
    others: ['Search_Flights'],
  },
  {
    id: 'Flights-2',
    query:
      'When is a flight from Lisbon to Oslo around 14 November 2024 cheapest in first class? Tell me the price of that day.',
    turns: [
      [searchFlightCity('Lisbon', 'LIS.AIRPORT'), searchFlightCity('Oslo', 'OSL.AIRPORT')],
      [
        call('Get_Min_Price', { ...lisbonOslo, cabinClass: 'FIRST' }, [
          { departureDate: '2024-11-13', price: 912.4 },
          { departureDate: '2024-11-14', price: 988.1 },
        ]),
      ],
    ],
    answer: 'On 13 November a flight in first class costs 912.40 USD, which is the least.',
    others: ['Search_Flights', 'Get_Seat_Map'],
  },
]
