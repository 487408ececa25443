/** Walks that use every function of the world, each call made from the answers before it. */
import type { JsonObject } from '@stateeval/contracts'
import { ask, openTravel, type TravelState } from '../../travel/world.ts'

export interface Walker {
  state: TravelState
  /** Makes a call that must succeed, and gives its data. */
  call(name: string, args: JsonObject): any // eslint-disable-line @typescript-eslint/no-explicit-any
}

export function walker(seed: string, session = 'session'): Walker {
  return {
    state: openTravel({ seed, hidden: [] }, session),
    call(name, args) {
      const { state, body, ok } = ask(this.state, name, args)
      if (!ok) throw new Error(`${name} ${JSON.stringify(args)}: ${JSON.stringify(body)}`)
      this.state = state
      return body['data']
    },
  }
}

const dates = { arrival_date: '2024-12-01', departure_date: '2024-12-04' }

/** Calls every function at least once; gives what was called. */
export function walkAll(w: Walker): Set<string> {
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
