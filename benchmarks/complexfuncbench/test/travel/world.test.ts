import { describe, expect, test } from '@jest/globals'
import { canonicalJson, type JsonObject } from '@stateeval/contracts'
import { formatWireName } from '../../travel/function.ts'
import { findFunction, travelFunctions } from '../../travel/functions.ts'
import { ask, openTravel } from '../../travel/world.ts'
import { walker } from './walker.ts'

describe('the travel world', () => {
  test('an omitted argument and its default are the same answer', () => {
    const w = walker('first')
    const [place] = w.call('Search_Hotel_Destination', { query: 'Rome' })
    const args = {
      dest_id: place.dest_id,
      search_type: 'city',
      arrival_date: '2024-11-02',
      departure_date: '2024-11-05',
    }
    w.call('Search_Hotels', args)
    const before = w.state.heard.length
    w.call('Search_Hotels', { ...args, adults: 1, room_qty: 1 })
    expect(w.state.heard).toHaveLength(before)
    w.call('Search_Hotels', { ...args, adults: 2 })
    expect(w.state.heard.length).toBeGreaterThan(before)
  })
  test('bookings use up rooms until none is left; cancelling gives one back', () => {
    const w = walker('first')
    const [place] = w.call('Search_Hotel_Destination', { query: 'Lisbon' })
    const dates = { arrival_date: '2024-11-10', departure_date: '2024-11-12' }
    const { hotels } = w.call('Search_Hotels', { dest_id: place.dest_id, search_type: 'city', ...dates })
    const hotel_id = String(hotels[0].hotel_id)
    const left = () =>
      w
        .call('Get_Room_List_With_Availability', { hotel_id, ...dates })
        .available.find((room: JsonObject) => room['room_id'] === room_id)?.rooms_left ?? 0
    const { room_id, rooms_left } = w.call('Get_Room_List_With_Availability', { hotel_id, ...dates })
      .available[0]
    const book = { hotel_id, room_id: String(room_id), ...dates }
    for (let bookings = 1; bookings <= rooms_left; bookings++) {
      w.call('Book_Hotel_Room', book)
      expect(left()).toBe(rooms_left - bookings)
    }
    expect(ask(w.state, 'Book_Hotel_Room', book)).toMatchObject({ ok: false, state: w.state })
    w.call('Cancel_Booking', { reference: w.state.bookings[0]!.reference })
    expect(left()).toBe(1)
  })
  test('hidden entries are left out of the answers of their function alone', () => {
    const answer = ask(openTravel({ seed: 's', hidden: [] }), 'Search_Flight_Location', { query: 'Paris' })
    const ids = (answer.body['data'] as { id: string }[]).map(({ id }) => id)
    expect(ids).toEqual(['PAR.CITY', 'CDG.AIRPORT', 'ORY.AIRPORT'])
    const hidden = [{ function: 'Search_Flight_Location', ids: ids.slice(1) }]
    const state = openTravel({ seed: 's', hidden })
    const data = (name: string) => ask(state, name, { query: 'Paris' }).body['data'] as { id?: string }[]
    expect(data('Search_Flight_Location').map(({ id }) => id)).toEqual(['PAR.CITY'])
    expect(data('Taxi_Search_Location').length).toBeGreaterThan(1)
  })
  test.each<[string, JsonObject, string]>([
    ['Search_Hotels', {}, 'dest_id is required'],
    ['Get_Hotel_Details', { hotel_id: 12 }, 'hotel_id must be a string'],
    ['Get_Hotel_Details', { hotel_id: '12', x: 1 }, 'Get_Hotel_Details has no parameter x'],
    [
      'Get_Seat_Map',
      { offerToken: 'd7699_e30.0' },
      'offerToken does not identify an offer, or the offer has expired',
    ],
    [
      'Search_Flights',
      { fromId: 'PAR.CITY', toId: 'XXX.CITY', departDate: '2024-12-01' },
      'toId XXX.CITY is not an airport or city',
    ],
    [
      'Search_Flights_Multi_Stops',
      { legs: ['a'] },
      'each of legs must be an object with fromId, toId and date',
    ],
    ['Fly_Away', {}, 'Function Fly_Away does not exist.'],
  ])('%s %j is refused: %s', (name, args, message) => {
    const state = openTravel({ seed: 's', hidden: [] })
    expect(ask(state, name, args)).toEqual({ ok: false, state, body: { status: false, message } })
  })
  test('dates must be of the calendar, in order', () => {
    const w = walker('s')
    const stay = (arrival_date: string, departure_date: string) =>
      ask(w.state, 'Search_Hotels_By_Coordinates', {
        latitude: '0',
        longitude: '0',
        arrival_date,
        departure_date,
      }).body['message']
    expect(stay('2024-02-30', '2024-03-02')).toBe('arrival_date must be a date as YYYY-MM-DD')
    expect(stay('2024-12-02', '2024-12-02')).toBe('departure_date must be after arrival_date')
  })
  test('functions are found by their names for chat APIs, too; all schemas are JSON', () => {
    expect(findFunction('Get_Hotel_Reviews-Tips-')?.name).toBe('Get_Hotel_Reviews(Tips)')
    const names = travelFunctions.map(({ name }) => formatWireName(name))
    expect(new Set(names).size).toBe(names.length)
    expect(canonicalJson(names)).toMatch(/^["[\],A-Za-z0-9_-]+$/)
  })
})
