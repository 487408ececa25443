/** Functions that find hotels: destinations, and searches at them or around a point. */
import type { JsonObject } from '@stateeval/contracts'
import { dateOf } from '../dates.ts'
import { round } from '../draw.ts'
import {
  type Arguments,
  success,
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
import { hotelsOf, scoreWord } from './inventory.ts'
import {
  dateParameters,
  destinationParameters,
  filtersIn,
  filterTitles,
  fits,
  type Offer,
  offersOf,
  orders,
} from './offers.ts'
import { type Asked, askedStay, childrenParameter, guestParameters } from './stay.ts'

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
    success(
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

const priced = (offers: Offer[], args: Arguments) =>
  offers.filter(
    ({ price }) =>
      price >= number(args, 'price_min', 0) && price <= number(args, 'price_max', Number.MAX_VALUE),
  )

function summaryOf({ hotel, price, kilometres }: Offer, { arrival, nights, guests }: Asked): JsonObject {
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
    const stay = askedStay(args)
    if ('fault' in stay) return refused(stay.fault)
    const destination = destinationOf(seed, text(args, 'search_type'), text(args, 'dest_id'))
    if (!destination) return refused('no place has this dest_id and search_type')
    const order = orders[text(args, 'sort_by') || 'popularity']
    if (!order) return refused(`sort_by must be one of ${Object.keys(orders).join(', ')}`)
    const filters = filtersIn(args)
    const unknown = filters.find((filter) => !Object.hasOwn(filterTitles(), filter))
    if (unknown !== undefined) return refused(`categories_filter contains the unknown filter ${unknown}`)
    const offers = priced(offersOf(seed, destination.hotels, destination.place, stay), args)
      .filter(({ hotel }) => filters.every((filter) => fits(hotel, filter)))
      .sort((a, b) => order.by(a) - order.by(b) || a.hotel.id - b.hotel.id)
    return success({
      hotels: offers.map((offer) => summaryOf(offer, stay)),
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
    const stay = askedStay(args)
    if ('fault' in stay) return refused(stay.fault)
    const point = { latitude: Number(text(args, 'latitude')), longitude: Number(text(args, 'longitude')) }
    const fault = pointFault(point)
    if (fault) return refused(fault)
    const radius = number(args, 'radius', 100)
    if (radius < 10 || radius > 500) return refused('radius must be from 10 to 500')
    const around = hotelsOf(seed).filter((hotel) => distance(hotel, point) <= radius)
    const offers = priced(offersOf(seed, around, point, stay), args)
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
    return success({ count: result.length, search_radius: radius, result })
  },
}

/** Finds the fault of coordinates, or null. */
export function pointFault({ latitude, longitude }: { latitude: number; longitude: number }): string | null {
  if (!(Math.abs(latitude) <= 90)) return 'latitude must be a number from -90 to 90'
  return Math.abs(longitude) <= 180 ? null : 'longitude must be a number from -180 to 180'
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
    return success(
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
