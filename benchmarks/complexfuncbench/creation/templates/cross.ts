/** Templates over several domains; taxis are in these alone, as in the paper. */
import { call, constant, entry, once, slot, slots, type SampleTemplate } from '../template.ts'

const best = (take: string) => entry('flights', 'flightOffers', take)
const closest = { by: ['least', 'distance_to_point'] } as const
const coordinates = (which: 'pick_up' | 'drop_off') => ({
  [`${which}_latitude`]: entry('place', '', 'coordinates.latitude'),
  [`${which}_longitude`]: entry('place', '', 'coordinates.longitude'),
})

export const crossTemplates: readonly SampleTemplate[] = [
  {
    id: 'Cross-1',
    domain: 'Cross',
    query:
      'Find the best flight from {from} to {to} on {day} for {adults} adults, and the closest hotel within {radius} km of {landmark}, {to}, from that day to {leave}. A taxi shall bring us from the airport where we land to the hotel at {at} on the day of arrival: what does it cost?',
    slots: {
      from: { kind: 'city' },
      to: { kind: 'city' },
      landmark: { kind: 'landmark', of: 'to' },
      day: { kind: 'date', format: 'day first' },
      leave: { kind: 'date', after: 'day', days: [1, 9], format: 'day first' },
      adults: { kind: 'count', from: 2, to: 4, format: 'words' },
      radius: { kind: 'distance' },
      at: { kind: 'time' },
    },
    values: {
      from: 'Sydney',
      to: 'Melbourne',
      landmark: 'Federation Square',
      day: '2024-12-15',
      leave: '2024-12-16',
      adults: 2,
      radius: 10,
      at: '15:30',
    },
    turns: [
      [
        call('a', 'Search_Flight_Location', { query: slot('from') }),
        call('b', 'Search_Flight_Location', { query: slot('to') }),
        call('point', 'Location_to_Lat_Long', { query: slots('landmark', 'to') }),
      ],
      [
        call('flights', 'Search_Flights', {
          fromId: entry('a', '', 'id'),
          toId: entry('b', '', 'id'),
          departDate: slot('day'),
          adults: slot('adults'),
          sort: constant('BEST'),
        }),
        call('hotels', 'Search_Hotels_By_Coordinates', {
          latitude: entry('point', '', 'geometry.location.lat'),
          longitude: entry('point', '', 'geometry.location.lng'),
          arrival_date: slot('day'),
          departure_date: slot('leave'),
          adults: slot('adults'),
          radius: slot('radius'),
        }),
      ],
      [
        call('from', 'Taxi_Search_Location', { query: best('segments.0.arrivalAirport.name') }),
        call('to', 'Taxi_Search_Location', { query: entry('hotels', 'result', 'hotel_name', closest) }),
      ],
      [
        call('taxis', 'Search_Taxi', {
          pick_up_place_id: entry('from', '', 'googlePlaceId'),
          drop_off_place_id: entry('to', '', 'googlePlaceId'),
          pick_up_date: slot('day'),
          pick_up_time: slot('at'),
        }),
      ],
    ],
    answer:
      'The best flight is with {airline} and lands at {airport}. The closest hotel is {hotel}. A taxi costs from {price} US dollars.',
    tells: {
      airline: best('airline'),
      airport: best('segments.0.arrivalAirport.name'),
      hotel: entry('hotels', 'result', 'hotel_name', closest),
      price: entry('taxis', 'results', 'price.amount'),
    },
  },
  {
    id: 'Cross-2',
    domain: 'Cross',
    query:
      'We land in {city} and pick up the cheapest car at {airport} on {out} at {outAt}; we return it there on {back} at {backAt}. Meanwhile we want to visit the most popular attraction of the city on {visit}. Give me the booking summary of the car, and the details and opening hours of the attraction.',
    slots: {
      city: { kind: 'city' },
      airport: { kind: 'airport', of: 'city' },
      out: { kind: 'date' },
      visit: { kind: 'date', after: 'out', days: [1, 2] },
      back: { kind: 'date', after: 'visit', days: [1, 5] },
      outAt: { kind: 'time', format: 'AM and PM' },
      backAt: { kind: 'time', format: 'AM and PM' },
    },
    values: {
      city: 'Miami',
      airport: 'Miami International Airport',
      out: '2024-12-06',
      visit: '2024-12-07',
      back: '2024-12-10',
      outAt: '11:00',
      backAt: '16:00',
    },
    turns: [
      [
        call('place', 'Search_Car_Location', { query: slot('airport') }),
        call('city', 'Search_Attraction_Location', { query: slot('city') }),
      ],
      [
        call('cars', 'Search_Car_Rentals', {
          ...coordinates('pick_up'),
          pick_up_date: slot('out'),
          pick_up_time: slot('outAt'),
          ...coordinates('drop_off'),
          drop_off_date: slot('back'),
          drop_off_time: slot('backAt'),
        }),
        call('attractions', 'Search_Attractions', {
          id: entry('city', 'destinations', 'id'),
          sortBy: constant('trending'),
        }),
      ],
      [
        call('summary', 'Booking_Summary', {
          vehicle_id: entry('cars', 'search_results', 'vehicle_id', { by: ['least', 'pricing_info.price'] }),
          search_key: once('cars', 'search_key'),
        }),
        call('details', 'Get_Attraction_Details', { slug: entry('attractions', 'products', 'slug') }),
        call('open', 'Get_Availability', {
          slug: entry('attractions', 'products', 'slug'),
          date: slot('visit'),
        }),
      ],
    ],
    answer: 'The cheapest car is a {car} for {total}. {attraction} is open at {hour}.',
    tells: {
      car: once('summary', 'product.vehicle.title'),
      total: once('summary', 'priceBreakdown.total.primaryPrice.price'),
      attraction: once('details', 'name'),
      hour: entry('open', '', 'time'),
    },
  },
  {
    id: 'Cross-3',
    domain: 'Cross',
    query:
      'Book the cheapest flight from {from} to {to} on {day} for {adults} adults in {cabin}, and the standard taxi from {landmark} in {to} to {airport} on {leave} at {at}.',
    slots: {
      from: { kind: 'city' },
      to: { kind: 'city' },
      landmark: { kind: 'landmark', of: 'to' },
      airport: { kind: 'airport', of: 'to' },
      day: { kind: 'date', format: 'ISO' },
      leave: { kind: 'date', after: 'day', days: [1, 9], format: 'ISO' },
      adults: { kind: 'count', from: 2, to: 4, format: 'words' },
      cabin: { kind: 'cabin' },
      at: { kind: 'time' },
    },
    values: {
      from: 'Zurich',
      to: 'Barcelona',
      landmark: 'La Rambla',
      airport: 'Barcelona El Prat Airport',
      day: '2024-11-11',
      leave: '2024-11-14',
      adults: 2,
      cabin: 'ECONOMY',
      at: '13:00',
    },
    turns: [
      [
        call('a', 'Search_Flight_Location', { query: slot('from') }),
        call('b', 'Search_Flight_Location', { query: slot('to') }),
        call('begin', 'Taxi_Search_Location', { query: slots('landmark', 'to') }),
        call('end', 'Taxi_Search_Location', { query: slot('airport') }),
      ],
      [
        call('flights', 'Search_Flights', {
          fromId: entry('a', '', 'id'),
          toId: entry('b', '', 'id'),
          departDate: slot('day'),
          adults: slot('adults'),
          cabinClass: slot('cabin'),
          sort: constant('CHEAPEST'),
        }),
        call('taxis', 'Search_Taxi', {
          pick_up_place_id: entry('begin', '', 'googlePlaceId'),
          drop_off_place_id: entry('end', '', 'googlePlaceId'),
          pick_up_date: slot('leave'),
          pick_up_time: slot('at'),
        }),
      ],
      [
        call('bookFlight', 'Book_Flight', { token: best('token') }),
        call('bookTaxi', 'Book_Taxi', {
          resultId: entry('taxis', 'results', 'resultId', { where: { category: { is: 'STANDARD' } } }),
        }),
      ],
    ],
    answer: 'Both are booked: the flight with {airline}, and a taxi that takes {minutes} minutes.',
    tells: {
      airline: best('airline'),
      minutes: entry('taxis', 'results', 'duration', { where: { category: { is: 'STANDARD' } } }),
    },
  },
]
