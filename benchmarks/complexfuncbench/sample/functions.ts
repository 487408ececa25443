/** The functions of the sample: names as in the benchmark, descriptions and schemas our own. */
import { define, flag, integer, list, number, makeOptional, type SampleFunction, text } from './schema.ts'

const describeQueryParameter = (what: string) => ({ query: text(`The name of ${what} to look for.`) })
const hotelId = text('The id of the hotel, as a search for hotels returns it.')
const stay = {
  arrival_date: text('The day of arrival, as YYYY-MM-DD.'),
  departure_date: text('The day of departure, as YYYY-MM-DD.'),
}
const guests = {
  adults: makeOptional(number('How many adults travel.', { default: 1 })),
  children_age: makeOptional(text('The ages of the children, separated by commas, such as 3,8.')),
  room_qty: makeOptional(integer('How many rooms are needed.', { default: 1 })),
}
const currency = {
  currency_code: makeOptional(text('The currency of prices, by its three letters.', { default: 'USD' })),
}
const searchType = text('Whether the destination is a city, a landmark or a single hotel.', {
  enum: ['city', 'landmark', 'hotel', 'airport'],
})
const destination = {
  dest_id: text('The id of the destination, as Search_Hotel_Destination returns it.'),
  search_type: searchType,
}
const cabinClass = makeOptional(
  text('The class of the cabin.', { enum: ['ECONOMY', 'PREMIUM_ECONOMY', 'BUSINESS', 'FIRST'] }),
)
const sort = makeOptional(
  text('How flights are sorted.', { enum: ['BEST', 'CHEAPEST', 'FASTEST'], default: 'BEST' }),
)
const legs = list('The legs of the journey, in order.', {
  items: {
    type: 'object',
    properties: {
      fromId: { type: 'string', description: 'Where the leg begins.' },
      toId: { type: 'string', description: 'Where the leg ends.' },
      date: { type: 'string', description: 'Its day, as YYYY-MM-DD.' },
    },
    required: ['fromId', 'toId', 'date'],
  },
})
const car = {
  vehicle_id: text('The id of the vehicle, as Search_Car_Rentals returns it.'),
  search_key: text('The key of the search that found the vehicle.'),
}
const pickUp = (what: string) => ({
  [`${what}_latitude`]: text(`The latitude of the ${what.replace('_', ' ')} place.`),
  [`${what}_longitude`]: text(`The longitude of the ${what.replace('_', ' ')} place.`),
  [`${what}_date`]: text(`The ${what.replace('_', ' ')} day, as YYYY-MM-DD.`),
  [`${what}_time`]: text(`The ${what.replace('_', ' ')} time, as HH:MM.`),
})

const all: readonly SampleFunction[] = [
  define('Search_Hotel_Destination', 'Finds destinations for a search of hotels.', describeQueryParameter('a place or a hotel')),
  define('Get_Filter', 'Lists the filters that a search of hotels may use.', {
    ...destination,
    ...stay,
    ...guests,
    categories_filter: makeOptional(text('Filters that are set already, separated by commas.')),
  }),
  define('Search_Hotels', 'Searches the hotels of a destination.', {
    ...destination,
    ...stay,
    ...guests,
    ...currency,
    categories_filter: makeOptional(text('Ids of filters from Get_Filter, separated by commas.')),
    sort_by: makeOptional(text('How hotels are sorted, such as popularity or price.')),
    price_max: makeOptional(number('The highest price of a night.')),
  }),
  define('Search_Hotels_By_Coordinates', 'Searches hotels around a point.', {
    latitude: text('The latitude of the point.'),
    longitude: text('The longitude of the point.'),
    ...stay,
    ...guests,
    radius: makeOptional(number('How far away hotels may be, in kilometres.')),
  }),
  define('Get_Hotel_Details', 'Returns what is known of a hotel.', { hotel_id: hotelId, ...stay, ...guests }),
  define('Get_Hotel_Policies', 'Returns the rules of a hotel.', { hotel_id: hotelId }),
  define('Get_Hotel_Reviews(Tips)_Sort_Option', 'Lists how reviews of a hotel can be sorted.', {
    hotel_id: hotelId,
  }),
  define('Get_Hotel_Reviews(Tips)', 'Returns reviews of a hotel.', {
    hotel_id: hotelId,
    sort_option_id: makeOptional(text('One of the ids that the sort options have.')),
  }),
  define('Get_Room_List_With_Availability', 'Lists the free rooms of a hotel.', {
    hotel_id: hotelId,
    ...stay,
    ...guests,
    ...currency,
  }),
  define('Location_to_Lat_Long', 'Finds the coordinates of a place.', describeQueryParameter('a place')),
  define('Search_Flight_Location', 'Finds airports and cities for a search of flights.', describeQueryParameter('a city or an airport')),
  define('Search_Flights', 'Searches flights between two places.', {
    fromId: text('Where the flight begins, as Search_Flight_Location returns it.'),
    toId: text('Where the flight ends.'),
    departDate: text('The day of departure, as YYYY-MM-DD.'),
    returnDate: makeOptional(text('The day of return, as YYYY-MM-DD.')),
    adults: makeOptional(number('How many adults travel.', { default: 1 })),
    sort,
    cabinClass,
    direct: makeOptional(flag('Whether only flights without a stop are wanted.')),
  }),
  define('Search_Flights_Multi_Stops', 'Searches flights of several legs.', {
    legs,
    adults: makeOptional(number('How many adults travel.', { default: 1 })),
    sort,
    cabinClass,
  }),
  define('Get_Flight_Details', 'Returns what is known of a flight.', {
    token: text('The token of the flight, as a search returns it.'),
    ...currency,
  }),
  define('Get_Seat_Map', 'Returns the seats of a flight with their prices.', {
    offerToken: text('The token of the offer, from the details of a flight.'),
    ...currency,
  }),
  define('Get_Min_Price', 'Returns the lowest prices of the days around a flight.', {
    fromId: text('Where the flight begins.'),
    toId: text('Where the flight ends.'),
    departDate: text('The day of departure, as YYYY-MM-DD.'),
    cabinClass,
  }),
  define('Search_Car_Location', 'Finds places where cars are rented.', describeQueryParameter('a place')),
  define('Search_Car_Rentals', 'Searches cars to rent.', { ...pickUp('pick_up'), ...pickUp('drop_off') }),
  define('Vehicle_Details', 'Returns what is known of a car.', car),
  define('Vehicle_Supplier_Ratings', 'Returns how the supplier of a car is rated.', car),
  define('Booking_Summary', 'Returns what the booking of a car costs.', car),
  define('Search_Attraction_Location', 'Finds places and products for a search of attractions.', describeQueryParameter('a place')),
  define('Search_Attractions', 'Searches the attractions of a place.', {
    id: text('The id of the place, as Search_Attraction_Location returns it.'),
    sortBy: makeOptional(text('How attractions are sorted.', { enum: ['trending', 'lowest_price'] })),
  }),
  define('Get_Attraction_Details', 'Returns what is known of an attraction.', {
    slug: text('The slug of the attraction.'),
  }),
  define('Get_Availability', 'Returns when an attraction can be visited on a day.', {
    slug: text('The slug of the attraction.'),
    date: makeOptional(text('The day, as YYYY-MM-DD.')),
  }),
  define('Taxi_Search_Location', 'Finds places for a ride by taxi.', describeQueryParameter('a place')),
  define('Search_Taxi', 'Searches taxis between two places.', {
    pick_up_place_id: text('Where the ride begins, as Taxi_Search_Location returns it.'),
    drop_off_place_id: text('Where the ride ends.'),
    pick_up_date: text('The day of the ride, as YYYY-MM-DD.'),
    pick_up_time: text('The time of the ride, as HH:MM.'),
  }),
]

/** The named functions, as a conversation lists them. */
export const listFunctions = (names: readonly string[]): SampleFunction[] =>
  names.map((name) => {
    const definition = all.find((one) => one.name === name)
    if (!definition) throw new TypeError(`there is no function ${name}`)
    return definition
  })
