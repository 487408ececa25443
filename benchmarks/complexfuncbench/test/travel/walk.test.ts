/** Walks that use every function of the world, each call made from the answers before it. */
import { describe, expect, test } from '@jest/globals'
import type { JsonObject, JsonValue } from '@stateeval/contracts'
import { travelFunctions } from '../../travel/functions.ts'
import { ask } from '../../travel/world.ts'
import { type Walker, walker } from './walker.ts'

const dates = { arrival_date: '2024-12-01', departure_date: '2024-12-04' }

/** Calls every function at least once; gives what was called. */
function walkAll(w: Walker): Set<string> {
  const called = new Set<string>()
  const call: Walker['call'] = (name, args) => {
    called.add(name)
    return w.call(name, args)
  }
  const [place] = call('Search_Hotel_Destination', { query: 'Paris' })
  const where = { dest_id: place.dest_id, search_type: place.search_type }
  call('Get_Sort_By', { ...where, ...dates })
  const filter = call('Get_Filter', { ...where, ...dates, adults: 2 }).filters[0].options[1].genericId
  const { hotels } = call('Search_Hotels', {
    ...where,
    ...dates,
    adults: 2,
    sort_by: 'price',
    categories_filter: filter,
  })
  const hotel_id = String(hotels[0].hotel_id)
  for (const name of [
    'Get_Hotel_Details',
    'Get_Description_And_Info',
    'Get_Hotel_Policies',
    'Property_Children_Policies',
    'Payment_features_of_the_Hotel',
    'Get_Question_And_Answer',
    'Get_Popular_Attraction_Near_By',
    'Get_Hotel_Review_Scores',
    'Get_Hotel_Reviews_Filter_Metadata',
  ])
    call(name, { hotel_id })
  const { sorting } = call('Get_Hotel_Reviews(Tips)_Sort_Option', { hotel_id })
  call('Get_Hotel_Reviews(Tips)', { hotel_id, sort_option_id: sorting[1].id })
  call('Get_Room_List', { hotel_id, ...dates })
  const { available } = call('Get_Room_List_With_Availability', { hotel_id, ...dates, adults: 2 })
  call('Get_Room_Availability', { hotel_id, min_date: '2024-12-01', max_date: '2024-12-04' })
  call('Book_Hotel_Room', { hotel_id, room_id: String(available[0].room_id), ...dates, adults: 2 })
  const [point] = call('Location_to_Lat_Long', { query: 'Eiffel Tower, Paris' })
  const { lat, lng } = point.geometry.location
  call('Search_Hotels_By_Coordinates', {
    latitude: String(lat),
    longitude: String(lng),
    ...dates,
    radius: 10,
  })
  call('Get_Nearby_Cities', { latitude: String(lat), longitude: String(lng) })

  const [from] = call('Search_Flight_Location', { query: 'Paris' })
  const [to] = call('Search_Flight_Location', { query: 'Tokyo' })
  const trip = { fromId: from.id, toId: to.id, departDate: '2024-12-05' }
  const legs = [
    { fromId: from.id, toId: to.id, date: '2024-12-05' },
    { fromId: to.id, toId: from.id, date: '2024-12-12' },
  ]
  const { flightOffers } = call('Search_Flights', {
    ...trip,
    adults: 2,
    children: '3',
    cabinClass: 'BUSINESS',
    sort: 'CHEAPEST',
  })
  call('Search_Flights_Multi_Stops', { legs })
  call('Get_Min_Price', trip)
  call('Get_Min_Price_Multi_Stops', { legs })
  call('Get_Flight_Details', { token: flightOffers[0].token })
  call('Get_Seat_Map', { offerToken: flightOffers[0].offerToken })
  call('Book_Flight', { token: flightOffers[0].token })

  const [{ coordinates }] = call('Search_Car_Location', { query: 'Miami International Airport' })
  const at = (which: string) => ({
    [`${which}_latitude`]: String(coordinates.latitude),
    [`${which}_longitude`]: String(coordinates.longitude),
    [`${which}_date`]: which === 'pick_up' ? '2024-12-01' : '2024-12-05',
    [`${which}_time`]: '10:00',
  })
  const cars = call('Search_Car_Rentals', { ...at('pick_up'), ...at('drop_off') })
  const car = { vehicle_id: cars.search_results[0].vehicle_id, search_key: cars.search_key }
  for (const name of [
    'Vehicle_Details',
    'Booking_Summary',
    'Vehicle_Supplier_Ratings',
    'Vehicle_Supplier_Details',
    'Vehicle_Supplier_Review',
  ])
    call(name, car)
  const packages = call('Get_Packages', car)
  call('Book_Car', { ...car, package_id: packages[1].id })

  const { destinations } = call('Search_Attraction_Location', { query: 'Paris' })
  const { products } = call('Search_Attractions', { id: destinations[0].id, sortBy: 'lowest_price' })
  const { slug, id } = products[0]
  call('Get_Attraction_Details', { slug })
  const open = call('Get_Availability_Calendar', { id }).find((day: JsonObject) => day['available'])
  const [slot] = call('Get_Availability', { slug, date: open.date })
  call('Book_Attraction', { slug, date: open.date, time: slot.start.slice(11, 16), tickets: 2 })

  const [begin] = call('Taxi_Search_Location', { query: 'Paris Orly Airport' })
  const [end] = call('Taxi_Search_Location', { query: hotels[0].property.name })
  const rides = call('Search_Taxi', {
    pick_up_place_id: begin.googlePlaceId,
    drop_off_place_id: end.googlePlaceId,
    pick_up_date: '2024-12-01',
    pick_up_time: '10:30',
  })
  call('Book_Taxi', { resultId: rides.results[0].resultId })
  call('Get_Currency', {})
  call('Get_Languages', {})
  call('Get_Exchange_Rates', { base_currency: 'EUR' })
  const bookings = call('Get_Bookings', {})
  call('Cancel_Booking', { reference: bookings[0].reference })
  return called
}

describe('walks through the travel world', () => {
  test('every function answers calls that are made from earlier answers', () => {
    const w = walker('first')
    expect([...walkAll(w)].sort()).toEqual(travelFunctions.map(({ name }) => name).sort())
    expect(w.state.bookings.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'hotel cancelled',
      'flight confirmed',
      'car confirmed',
      'attraction confirmed',
      'taxi confirmed',
    ])
  })
  test('the same seed has the same answers; another seed has others, and its ids mean nothing here', () => {
    const [a, b, other] = [walker('first'), walker('first'), walker('second')]
    for (const w of [a, b, other]) walkAll(w)
    expect(a.state).toEqual(b.state)
    expect(a.state.heard).not.toEqual(other.state.heard)
    const hotel = other.call('Search_Hotels_By_Coordinates', {
      latitude: '48.85',
      longitude: '2.35',
      arrival_date: '2024-12-01',
      departure_date: '2024-12-02',
    }).result[0].hotel_id
    expect(ask(a.state, 'Get_Hotel_Details', { hotel_id: String(hotel) }).body).toEqual({
      status: false,
      message: 'no hotel has this hotel_id',
    })
  })
  test('no argument makes a function fail, whatever its texts and members are called', () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', '', '\ud800', 'NaN']
    const odd = JSON.parse('{"toString": 1, "valueOf": 2}') as JsonObject
    /** Values of the same type, which the check of types lets pass. */
    const others = (value: JsonValue): JsonValue[] => {
      if (typeof value === 'string') return names
      if (typeof value === 'number') return [-1, 0, 0.5, 1e300]
      if (!Array.isArray(value)) return []
      const members = value.flatMap((one, at) =>
        Object.keys(one as JsonObject).flatMap((name) =>
          [odd, [odd], null, 'constructor'].map((other) =>
            value.with(at, { ...(one as JsonObject), [name]: other }),
          ),
        ),
      )
      return [[], [odd], [null], ['constructor'], ...members]
    }
    const w = walker('first')
    let tried = 0
    const call: Walker['call'] = (name, args) => {
      for (const [argument, value] of Object.entries(args))
        for (const other of others(value)) {
          const { body } = ask(w.state, name, { ...args, [argument]: other })
          expect(typeof body['status']).toBe('boolean')
          tried++
        }
      return w.call(name, args)
    }
    walkAll({ state: w.state, call })
    expect(tried).toBeGreaterThan(500)
  })
  test('the same booking again has another reference, whatever was booked between', () => {
    const w = walker('first')
    const book = (to: string) => {
      const trip = { fromId: 'PAR.CITY', toId: to, departDate: '2024-12-05' }
      w.call('Book_Flight', { token: w.call('Search_Flights', trip).flightOffers[0].token })
    }
    for (const to of ['ROM.CITY', 'TYO.CITY', 'ROM.CITY']) book(to)
    const references = w.state.bookings.map(({ reference }) => reference)
    expect(new Set(references).size).toBe(references.length)
  })
})
