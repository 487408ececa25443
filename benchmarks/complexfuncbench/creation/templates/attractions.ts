/** Templates about attractions. */
import { call, constant, entry, slot, type SampleTemplate } from '../template.ts'

const where = (as: string, city: string) => call(as, 'Search_Attraction_Location', { query: slot(city) })
const search = (as: string, of: string, sortBy: string) =>
  call(as, 'Search_Attractions', { id: entry(of, 'destinations', 'id'), sortBy: constant(sortBy) })
const slug = (of: string) => ({ slug: entry(of, 'products', 'slug') })

export const attractionTemplates: readonly SampleTemplate[] = [
  {
    id: 'Attraction-1',
    domain: 'Attraction',
    query:
      'I travel to {one} on {first}, to {two} on {second} and to {three} on {third}. What is the cheapest attraction of each city, and when is it open on my day there?',
    slots: {
      one: { kind: 'city' },
      two: { kind: 'city' },
      three: { kind: 'city' },
      first: { kind: 'date' },
      second: { kind: 'date', after: 'first', days: [1, 6] },
      third: { kind: 'date', after: 'second', days: [1, 6] },
    },
    values: {
      one: 'Rome',
      two: 'Paris',
      three: 'Amsterdam',
      first: '2024-11-22',
      second: '2024-11-24',
      third: '2024-11-28',
    },
    turns: [
      [where('a', 'one'), where('b', 'two'), where('c', 'three')],
      [
        search('inA', 'a', 'lowest_price'),
        search('inB', 'b', 'lowest_price'),
        search('inC', 'c', 'lowest_price'),
      ],
      [
        call('openA', 'Get_Availability', { ...slug('inA'), date: slot('first') }),
        call('openB', 'Get_Availability', { ...slug('inB'), date: slot('second') }),
        call('openC', 'Get_Availability', { ...slug('inC'), date: slot('third') }),
      ],
    ],
    answer: 'In {one} it is {a}, open at {atA}; in {two} {b}, open at {atB}; in {three} {c}, open at {atC}.',
    tells: {
      a: entry('inA', 'products', 'name'),
      b: entry('inB', 'products', 'name'),
      c: entry('inC', 'products', 'name'),
      atA: entry('openA', '', 'time'),
      atB: entry('openB', '', 'time'),
      atC: entry('openC', '', 'time'),
    },
  },
  {
    id: 'Attraction-2',
    domain: 'Attraction',
    query:
      'Book {some} tickets for the highest rated attraction in {one} on {first}, and {more} tickets for the highest rated one in {two} on {second}, each at the earliest hour. I’d like to read the details of both as well.',
    slots: {
      one: { kind: 'city' },
      two: { kind: 'city' },
      first: { kind: 'date', format: 'day first' },
      second: { kind: 'date', after: 'first', days: [1, 9], format: 'day first' },
      some: { kind: 'count', from: 2, to: 4, format: 'words' },
      more: { kind: 'count', from: 2, to: 5, format: 'words' },
    },
    values: { one: 'Berlin', two: 'Vienna', first: '2024-12-12', second: '2024-12-15', some: 2, more: 4 },
    turns: [
      [where('a', 'one'), where('b', 'two')],
      [search('inA', 'a', 'attr_book_score'), search('inB', 'b', 'attr_book_score')],
      [
        call('detailsA', 'Get_Attraction_Details', slug('inA')),
        call('detailsB', 'Get_Attraction_Details', slug('inB')),
        call('openA', 'Get_Availability', { ...slug('inA'), date: slot('first') }),
        call('openB', 'Get_Availability', { ...slug('inB'), date: slot('second') }),
      ],
      [
        call('bookA', 'Book_Attraction', {
          ...slug('inA'),
          date: slot('first'),
          time: entry('openA', '', 'time'),
          tickets: slot('some'),
        }),
        call('bookB', 'Book_Attraction', {
          ...slug('inB'),
          date: slot('second'),
          time: entry('openB', '', 'time'),
          tickets: slot('more'),
        }),
      ],
    ],
    answer: 'Booked: {a} at {atA} and {b} at {atB}.',
    tells: {
      a: entry('inA', 'products', 'name'),
      b: entry('inB', 'products', 'name'),
      atA: entry('openA', '', 'time'),
      atB: entry('openB', '', 'time'),
    },
  },
]
