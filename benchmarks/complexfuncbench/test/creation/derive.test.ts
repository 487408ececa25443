/** The mechanical check: what follows from a query or a response, and what doesn't. */
import { describe, expect, test } from '@jest/globals'
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import fc from 'fast-check'
import { derive } from '../../creation/derive.ts'
import { readQuery, findSaidWords } from '../../creation/reading.ts'
import type { TemplateSlot } from '../../creation/template.ts'
import { drawValue, saySlotValue } from '../../creation/values.ts'

describe('reading a query', () => {
  test.each<[string, string | number, boolean]>([
    ['on December 15, 2024', '2024-12-15', true],
    ['on the 3rd of November 2024', '2024-11-03', true],
    ['on 5 Nov 2024', '2024-11-05', true],
    ['on 2024-11-05', '2024-11-05', true],
    ['on November 5', '2024-11-05', false],
    ['from 3 to 6 December 2024', '2024-12-03', true],
    ['from 3 to 6 December 2024', '2024-12-06', true],
    ['from December 3 to 6, 2024', '2024-12-03', true],
    ['from December 3-6, 2024', '2024-12-06', true],
    ['from November 28 to December 2, 2024', '2024-11-28', true],
    ['from November 28 to December 2, 2024', '2024-12-28', false],
    ['on 8 November 2024, back on 12 November', '2024-11-12', true],
    ['on 30 December 2024 or 2 January 2025, and on 5 January', '2025-01-05', false],
    ['2 adults on 3 December 2024', '2024-12-02', false],
    ['I may 2 times', '2024-05-02', false],
    ['at 2:30 PM', '14:30', true],
    ['at 2:30 PM', '02:30', false],
    ['at 12 AM', '00:00', true],
    ['at 9:05', '09:05', true],
    ['three adults', 3, true],
    ['3 adults', 3, true],
    ['3 adults', 4, false],
    ['children of 4 and 7', '4,7', true],
    ['children of 4 and 7', '4,8', false],
    ['near the Eiffel Tower in Paris', 'Eiffel Tower, Paris', true],
    ['near the Eiffel Tower', 'Eiffel Tower, Paris', false],
    ['in business class', 'BUSINESS', true],
    ['the cheapest flight', 'CHEAPEST', true],
    ['the cheapest flight', 'FASTEST', false],
  ])('%j says %j: %s', (query, value, expected) => {
    expect(findSaidWords(value, readQuery(query)) !== null).toBe(expected)
  })
  const slots: TemplateSlot[] = [
    { kind: 'city' },
    { kind: 'date' },
    { kind: 'date', format: 'day first' },
    { kind: 'date', format: 'ISO' },
    { kind: 'time' },
    { kind: 'time', format: 'AM and PM' },
    { kind: 'count', from: 1, to: 9, format: 'words' },
    { kind: 'count', from: 1, to: 30 },
    { kind: 'distance' },
    { kind: 'age' },
    { kind: 'cabin' },
    { kind: 'supplier' },
  ]
  test('what a slot says is read as its value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...slots), fc.nat(), (slot, seed) => {
        const value = drawValue(slot, { values: {}, seed: 's', rng: createRng(seed) })! as string | number
        expect(findSaidWords(value, readQuery(`We go ${saySlotValue(slot, value)}, please.`))).not.toBeNull()
      }),
    )
  })
})

const response = (data: JsonValue): JsonObject => ({ status: true, message: 'Success', data })
const turns = (hotels: JsonValue, hotelId: string, query = 'Rome') => [
  {
    calls: [{ name: 'Search_Hotel_Destination', arguments: { query } }],
    responses: [response([{ dest_id: '-1', search_type: 'city' }])],
  },
  {
    calls: [
      {
        name: 'Search_Hotels',
        arguments: {
          dest_id: '-1',
          search_type: 'city',
          arrival_date: '2024-12-01',
          departure_date: '2024-12-02',
        },
      },
    ],
    responses: [response({ hotels })],
  },
  { calls: [{ name: 'Get_Hotel_Details', arguments: { hotel_id: hotelId } }], responses: [response({})] },
]
const stay = 'from December 1, 2024 to December 2, 2024'
const hotel = (hotel_id: number, name: string, price: number) => ({ hotel_id, property: { name, price } })
const two = [hotel(11, 'Hilton Rome', 90), hotel(22, 'Ibis Rome', 70)]

describe('derivations', () => {
  test.each<[string, string, JsonValue, string, string]>([
    ['the only entry', `A hotel in Rome ${stay}`, two.slice(0, 1), '11', 'it is the only entry'],
    ['the least price', `The cheapest hotel in Rome ${stay}`, two, '22', 'cheapest: least property.price'],
    [
      'its name',
      `The Hilton in Rome ${stay}`,
      [hotel(11, 'Hilton', 90), hotel(22, 'Ibis', 70)],
      '11',
      'it is called Hilton',
    ],
    ['the first', `The first hotel in Rome ${stay}`, two, '11', 'it is the first'],
  ])('an entry is meant because of %s', (_, query, hotels, hotelId, because) => {
    const derived = derive(query, turns(hotels, hotelId))
    if ('fault' in derived) throw new Error(derived.fault.says)
    expect(derived.derivations.at(-1)).toMatchObject({
      turn: 2,
      argument: 'hotel_id',
      from: { in: 'response', turn: 1, because },
    })
    expect(derived.derivations[0]).toEqual({
      turn: 0,
      call: 0,
      argument: 'query',
      from: { in: 'query', as: '“Rome”' },
    })
  })
  test.each<[string, string, JsonValue, string, object]>([
    ['nothing decides', `A hotel in Rome ${stay}`, two, '22', { argument: 'hotel_id', rivals: { ids: [] } }],
    ['it is not the cheapest', `The cheapest hotel in Rome ${stay}`, two, '11', { argument: 'hotel_id' }],
    [
      'two are the cheapest',
      `The cheapest hotel in Rome ${stay}`,
      [two[0]!, hotel(22, 'Ibis', 90)],
      '11',
      { rivals: { function: 'Search_Hotels', ids: ['22'] } },
    ],
    [
      'no answer has the id',
      `A hotel in Rome ${stay}`,
      two,
      '33',
      { argument: 'hotel_id', says: '33 is in neither the query nor an earlier response' },
    ],
    [
      'a date is not said',
      'The cheapest hotel in Rome from December 1, 2024',
      two,
      '22',
      { turn: 1, argument: 'departure_date' },
    ],
    ['a place is not said', `The cheapest hotel ${stay}`, two, '22', { turn: 0, argument: 'query' }],
  ])('a sample is refused where %s', (_, query, hotels, hotelId, fault) => {
    expect(derive(query, turns(hotels, hotelId))).toMatchObject({ fault })
  })
  test('a response of the same turn is no source', () => {
    const [first, second] = turns(two, '22')
    const together = [
      { calls: [...first!.calls, ...second!.calls], responses: [...first!.responses, ...second!.responses] },
    ]
    expect(derive(`Hotels in Rome ${stay}`, together)).toMatchObject({
      fault: { turn: 0, call: 1, argument: 'dest_id' },
    })
  })
})
