/** Functions that find hotels: destinations, searches, filters, orders. */
import type { Json, JsonObject } from '@stateeval/contracts'
import { dateOf } from '../dates.ts'
import { round } from '../draw.ts'
import {
  type Arguments,
  found,
  needs,
  number,
  refused,
  takes,
  text,
  type TravelFunction,
} from '../function.ts'
import { cities } from '../geography/cities.ts'
import { distance } from '../geography/places.ts'
import { destinationOf, findDestinations } from './destinations.ts'
import { facilities, type Hotel, hotelsOf, priceOf, scoreWord } from './inventory.ts'
import { type Asked, askedStay, childrenParameter, guestParameters } from './stay.ts'

const destinationParameters = [
  needs('dest_id', 'The place to stay: `dest_id` of Search_Hotel_Destination.'),
  needs('search_type', 'What kind of place that is: `search_type` of Search_Hotel_Destination.'),
]
const dateParameters = [
  needs('arrival_date', 'Day of check-in, as YYYY-MM-DD.'),
  needs('departure_date', 'Day of check-out, as YYYY-MM-DD.'),
]
const priceParameters = [
  takes('price_min', 'Lowest price of the whole stay, in US dollars.', 'number'),
  takes('price_max', 'Highest price of the whole stay, in US dollars.', 'number'),
]

export const searchHotelDestination: TravelFunction = {
  name: 'Search_Hotel_Destination',
  about:
    'Finds places to stay by name: cities, airports, landmarks, hotels, addresses, countries. Gives `dest_id` and `search_type` for searches of hotels, and the coordinates of each place.',
  parameters: [needs('query', 'Name of the place, such as a city, a district, a landmark or a hotel.')],
  entries: [{ at: [], id: 'dest_id' }],
  answer: ({ seed }, args) =>
    found(
      findDestinations(seed, text(args, 'query')).map(({ id, type, name, label, place, hotels }) => ({
        dest_id: id,
        search_type: type,
        dest_type: type,
        name,
        label,
        city_name: place.city.name,
        region: place.city.region,
        country: place.city.country,
        cc1: place.city.countryCode,
        latitude: place.latitude,
        longitude: place.longitude,
        hotels: hotels.length,
        lc: 'en',
      })),
    ),
}

const orders: Readonly<Record<string, { title: string; by: (offer: Offer) => number }>> = {
  popularity: { title: 'Our top picks', by: ({ hotel }) => -hotel.reviews },
  price: { title: 'Price (lowest first)', by: ({ price }) => price },
  bayesian_review_score: { title: 'Best reviewed first', by: ({ hotel }) => -hotel.score },
  class_descending: { title: 'Property rating (high to low)', by: ({ hotel }) => -hotel.stars },
  class_ascending: { title: 'Property rating (low to high)', by: ({ hotel }) => hotel.stars },
  distance: { title: 'Distance from the place', by: ({ kilometres }) => kilometres },
}
interface Offer {
  hotel: Hotel
  price: number
  kilometres: number
}

const filterTitles = (): Readonly<Record<string, string>> => ({
  ...facilities,
  'mealplan::breakfast_included': 'Breakfast included',
  ...Object.fromEntries([2, 3, 4, 5].map((stars) => [`class::${stars}`, `${stars} stars`])),
})
const fits = ({ facilities: own, breakfast, stars }: Hotel, filter: string) =>
  own.includes(filter) ||
  (filter === 'mealplan::breakfast_included' && breakfast) ||
  filter === `class::${stars}`
const filtersIn = (args: Arguments) =>
  text(args, 'categories_filter')
    .split(',')
    .map((filter) => filter.trim())
    .filter(Boolean)

function offersOf(
  seed: string,
  hotels: readonly Hotel[],
  centre: { latitude: number; longitude: number },
  { arrival, nights, guests }: Asked,
): Offer[] {
  return hotels.map((hotel) => ({
    hotel,
    price: priceOf(seed, hotel, { arrival, nights }, guests),
    kilometres: round(distance(hotel, centre), 1),
  }))
}

const priced = (offers: Offer[], args: Arguments) =>
  offers.filter(
    ({ price }) =>
      price >= number(args, 'price_min', 0) && price <= number(args, 'price_max', Number.MAX_VALUE),
  )

function shown({ hotel, price, kilometres }: Offer, { arrival, nights, guests }: Asked): JsonObject {
  return {
    hotel_id: hotel.id,
    accessibilityLabel: `${hotel.name}. ${hotel.stars} out of 5. ${kilometres} km from the place. ${nights} nights, ${guests.adults} adults.`,
    property: {
      id: hotel.id,
      name: hotel.name,
      wishlistName: hotel.city.name,
      countryCode: hotel.city.countryCode,
      latitude: hotel.latitude,
      longitude: hotel.longitude,
      propertyClass: hotel.stars,
      reviewScore: hotel.score,
      reviewScoreWord: scoreWord(hotel.score),
      reviewCount: hotel.reviews,
      currency: 'USD',
      checkinDate: dateOf(arrival),
      checkoutDate: dateOf(arrival + nights),
      priceBreakdown: {
        grossPrice: { value: price, currency: 'USD' },
        excludedPrice: { value: round(price * 0.12), currency: 'USD' },
      },
    },
  }
}

export const searchHotels: TravelFunction = {
  name: 'Search_Hotels',
  about:
    'Finds hotels at a destination for a stay, with their prices, scores and coordinates. `hotel_id` names a hotel in later calls.',
  parameters: [
    ...destinationParameters,
    ...dateParameters,
    ...guestParameters,
    childrenParameter,
    ...priceParameters,
    takes('sort_by', 'Order of the hotels: an `id` of Get_Sort_By; popularity by default.'),
    takes('categories_filter', 'Filters separated by commas: values of `genericId` of Get_Filter.'),
  ],
  entries: [{ at: ['hotels'], id: 'hotel_id' }],
  answer({ seed }, args) {
    const asked = askedStay(args)
    if ('fault' in asked) return refused(asked.fault)
    const destination = destinationOf(seed, text(args, 'search_type'), text(args, 'dest_id'))
    if (!destination) return refused('no place has this dest_id and search_type')
    const order = orders[text(args, 'sort_by') || 'popularity']
    if (!order) return refused(`sort_by must be one of ${Object.keys(orders).join(', ')}`)
    const filters = filtersIn(args)
    const unknown = filters.find((filter) => !Object.hasOwn(filterTitles(), filter))
    if (unknown !== undefined) return refused(`categories_filter has the unknown filter ${unknown}`)
    const offers = priced(offersOf(seed, destination.hotels, destination.place, asked), args)
      .filter(({ hotel }) => filters.every((filter) => fits(hotel, filter)))
      .sort((a, b) => order.by(a) - order.by(b) || a.hotel.id - b.hotel.id)
    return found({
      hotels: offers.map((offer) => shown(offer, asked)),
      meta: [{ title: `${offers.length} properties` }],
    })
  },
}

export const searchHotelsByCoordinates: TravelFunction = {
  name: 'Search_Hotels_By_Coordinates',
  about: 'Finds hotels around a point for a stay, the nearest first, with prices and scores.',
  parameters: [
    needs('latitude', 'Latitude of the point in degrees, such as that of Location_to_Lat_Long.'),
    needs('longitude', 'Longitude of the point in degrees, such as that of Location_to_Lat_Long.'),
    ...dateParameters,
    takes('radius', 'Kilometres around the point, from 10 to 500; 100 by default.', 'number'),
    ...guestParameters,
    childrenParameter,
    ...priceParameters,
  ],
  entries: [{ at: ['result'], id: 'hotel_id' }],
  answer({ seed }, args) {
    const asked = askedStay(args)
    if ('fault' in asked) return refused(asked.fault)
    const point = { latitude: Number(text(args, 'latitude')), longitude: Number(text(args, 'longitude')) }
    const fault = pointFault(point)
    if (fault) return refused(fault)
    const radius = number(args, 'radius', 100)
    if (radius < 10 || radius > 500) return refused('radius must be from 10 to 500')
    const around = hotelsOf(seed).filter((hotel) => distance(hotel, point) <= radius)
    const offers = priced(offersOf(seed, around, point, asked), args)
      .sort((a, b) => a.kilometres - b.kilometres || a.hotel.id - b.hotel.id)
      .slice(0, 20)
    const result = offers.map(({ hotel, price, kilometres }) => ({
      hotel_id: hotel.id,
      hotel_name: hotel.name,
      city: hotel.city.name,
      class: hotel.stars,
      review_score: hotel.score,
      review_score_word: scoreWord(hotel.score),
      review_nr: hotel.reviews,
      latitude: hotel.latitude,
      longitude: hotel.longitude,
      distance_to_point: kilometres,
      currencycode: 'USD',
      min_total_price: price,
    }))
    return found({ count: result.length, search_radius: radius, result })
  },
}

/** What is wrong with coordinates, or null. */
export function pointFault({ latitude, longitude }: { latitude: number; longitude: number }): string | null {
  if (!(Math.abs(latitude) <= 90)) return 'latitude must be a number from -90 to 90'
  return Math.abs(longitude) <= 180 ? null : 'longitude must be a number from -180 to 180'
}

export const getFilter: TravelFunction = {
  name: 'Get_Filter',
  about:
    'Gives the filters that fit the hotels of a search. `genericId` of an option is a value of `categories_filter` of Search_Hotels.',
  parameters: [
    ...destinationParameters,
    ...dateParameters,
    ...guestParameters,
    childrenParameter,
    takes('categories_filter', 'Filters that are set already, separated by commas; none at first.'),
  ],
  entries: [{ at: ['filters', '*', 'options'], id: 'genericId' }],
  answer({ seed }, args) {
    const asked = askedStay(args)
    if ('fault' in asked) return refused(asked.fault)
    const destination = destinationOf(seed, text(args, 'search_type'), text(args, 'dest_id'))
    if (!destination) return refused('no place has this dest_id and search_type')
    const filters = filtersIn(args)
    const hotels = destination.hotels.filter((hotel) => filters.every((filter) => fits(hotel, filter)))
    const lowest = Math.min(...offersOf(seed, hotels, destination.place, asked).map(({ price }) => price))
    const option = ([id, title]: [string, string]): JsonObject => ({
      title,
      genericId: id,
      countNotAutoextended: hotels.filter((hotel) => fits(hotel, id)).length,
    })
    const titles = Object.entries(filterTitles())
    const group = (title: string, field: string): Json => ({
      title,
      field,
      options: titles.filter(([id]) => id.startsWith(`${field}::`)).map(option),
    })
    return found({
      pagination: { nbResultsTotal: hotels.length },
      priceFrom: hotels.length > 0 ? { value: lowest, currency: 'USD' } : null,
      filters: [
        group('Facilities', 'facility'),
        group('Meals', 'mealplan'),
        group('Property rating', 'class'),
      ],
    })
  },
}

export const getSortBy: TravelFunction = {
  name: 'Get_Sort_By',
  about: 'Gives the orders that a search of hotels can have: `id` is a value of `sort_by` of Search_Hotels.',
  parameters: [...destinationParameters, ...dateParameters, ...guestParameters, childrenParameter],
  entries: [{ at: [], id: 'id' }],
  answer({ seed }, args) {
    const asked = askedStay(args)
    if ('fault' in asked) return refused(asked.fault)
    const destination = destinationOf(seed, text(args, 'search_type'), text(args, 'dest_id'))
    if (!destination) return refused('no place has this dest_id and search_type')
    return found(Object.entries(orders).map(([id, { title }]) => ({ id, title })))
  },
}

export const getNearbyCities: TravelFunction = {
  name: 'Get_Nearby_Cities',
  about: 'Gives the five cities that are nearest to a point, with their coordinates and distances.',
  parameters: [
    needs('latitude', 'Latitude of the point in degrees, such as that of Location_to_Lat_Long.'),
    needs('longitude', 'Longitude of the point in degrees, such as that of Location_to_Lat_Long.'),
  ],
  answer(_, args) {
    const point = { latitude: Number(text(args, 'latitude')), longitude: Number(text(args, 'longitude')) }
    const fault = pointFault(point)
    if (fault) return refused(fault)
    const sorted = cities
      .map((city) => ({ city, kilometres: distance(city, point) }))
      .sort((a, b) => a.kilometres - b.kilometres)
    return found(
      sorted.slice(0, 5).map(({ city, kilometres }) => ({
        name: city.name,
        country: city.country,
        cc1: city.countryCode,
        latitude: city.latitude,
        longitude: city.longitude,
        distance_km: round(kilometres, 1),
      })),
    )
  },
}
