/** Templates about flights. */
import { call, constant, entry, slot, type SampleTemplate } from '../template.ts'

const where = (as: string, city: string) => call(as, 'Search_Flight_Location', { query: slot(city) })
const id = (of: string) => entry(of, '', 'id')
const first = (take: string) => entry('flights', 'flightOffers', take)

export const flightTemplates: readonly SampleTemplate[] = [
  {
    id: 'Flights-1',
    domain: 'Flights',
    query:
      'I want to fly {cabin} from {from} to {to} on {there} and come back on {back}, {adults} adults in all. Find the cheapest flight, give me its details, and show me which seats can be chosen.',
    slots: {
      from: { kind: 'city' },
      to: { kind: 'city' },
      there: { kind: 'date' },
      back: { kind: 'date', after: 'there', days: [3, 14] },
      adults: { kind: 'count', from: 2, to: 4, format: 'words' },
      cabin: { kind: 'cabin' },
    },
    values: {
      from: 'London',
      to: 'New York',
      there: '2024-11-22',
      back: '2024-12-01',
      adults: 2,
      cabin: 'BUSINESS',
    },
    turns: [
      [where('start', 'from'), where('end', 'to')],
      [
        call('flights', 'Search_Flights', {
          fromId: id('start'),
          toId: id('end'),
          departDate: slot('there'),
          returnDate: slot('back'),
          adults: slot('adults'),
          cabinClass: slot('cabin'),
          sort: constant('CHEAPEST'),
        }),
      ],
      [
        call('details', 'Get_Flight_Details', { token: first('token') }),
        call('seats', 'Get_Seat_Map', { offerToken: first('offerToken') }),
      ],
    ],
    answer:
      'The cheapest flight is with {airline}, for {price} US dollars in all. The first seat of the map is {seat}.',
    tells: {
      airline: first('airline'),
      price: first('priceBreakdown.total.units'),
      seat: entry('seats', 'seatMap', 'seats.0.seat'),
    },
  },
  {
    id: 'Flights-2',
    domain: 'Flights',
    query:
      'We are {adults} adults who go from {first} to {second} on {one}, on to {third} on {two}, and back to {first} on {three}, in {cabin}. Which is the fastest connection, and what luggage is included?',
    slots: {
      first: { kind: 'city' },
      second: { kind: 'city' },
      third: { kind: 'city' },
      one: { kind: 'date', format: 'day first' },
      two: { kind: 'date', after: 'one', days: [1, 7], format: 'day first' },
      three: { kind: 'date', after: 'two', days: [1, 9], format: 'day first' },
      adults: { kind: 'count', from: 2, to: 4 },
      cabin: { kind: 'cabin' },
    },
    values: {
      first: 'Chicago',
      second: 'Tokyo',
      third: 'Singapore',
      one: '2024-11-25',
      two: '2024-11-29',
      three: '2024-12-09',
      adults: 3,
      cabin: 'ECONOMY',
    },
    turns: [
      [where('a', 'first'), where('b', 'second'), where('c', 'third')],
      [
        call('flights', 'Search_Flights_Multi_Stops', {
          legs: {
            list: [
              { fromId: id('a'), toId: id('b'), date: slot('one') },
              { fromId: id('b'), toId: id('c'), date: slot('two') },
              { fromId: id('c'), toId: id('a'), date: slot('three') },
            ],
          },
          adults: slot('adults'),
          cabinClass: slot('cabin'),
          sort: constant('FASTEST'),
        }),
      ],
      [call('details', 'Get_Flight_Details', { token: first('token') })],
    ],
    answer: 'The fastest connection is with {airline} for {price} US dollars.',
    tells: { airline: first('airline'), price: first('priceBreakdown.total.units') },
  },
  {
    id: 'Flights-3',
    domain: 'Flights',
    query:
      'Our company sends people from {from} to {left} on {there}, back on {back}, or to {right} on {other}. Compare what these flights cost at least around those days in {cabin}.',
    slots: {
      from: { kind: 'city' },
      left: { kind: 'city' },
      right: { kind: 'city' },
      there: { kind: 'date' },
      back: { kind: 'date', after: 'there', days: [2, 12] },
      other: { kind: 'date' },
      cabin: { kind: 'cabin' },
    },
    values: {
      from: 'Munich',
      left: 'Dubai',
      right: 'Amsterdam',
      there: '2024-12-02',
      back: '2024-12-10',
      other: '2024-11-18',
      cabin: 'PREMIUM_ECONOMY',
    },
    turns: [
      [where('a', 'from'), where('b', 'left'), where('c', 'right')],
      [
        call('one', 'Get_Min_Price', {
          fromId: id('a'),
          toId: id('b'),
          departDate: slot('there'),
          returnDate: slot('back'),
          cabinClass: slot('cabin'),
        }),
        call('two', 'Get_Min_Price', {
          fromId: id('a'),
          toId: id('c'),
          departDate: slot('other'),
          cabinClass: slot('cabin'),
        }),
      ],
    ],
    answer: 'The flights to {left} cost at least {one} US dollars, those to {right} {two} US dollars.',
    tells: {
      one: entry('one', '', 'price.units', { by: ['least', 'price.units'] }),
      two: entry('two', '', 'price.units', { by: ['least', 'price.units'] }),
    },
  },
]
