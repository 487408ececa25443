/** Functions that find hotels: destinations, and searches at them or around a point. */
import { getOwnMember, type JsonObject } from '@stateeval/contracts'
import { formatDay } from '../dates.ts'
import { roundDecimals } from '../draw.ts'
import {
  type FunctionArguments,
  createSuccessAnswer,
  defineNeeded,
  readNumberArgument,
  refuseTravelCall,
  defineTaken,
  readTextArgument,
  type TravelFunction,
} from '../function.ts'
import { cities } from '../geography/cities.ts'
import { measureKilometres } from '../geography/places.ts'
import { findDestinations } from './destinations.ts'
import { listHotels, scoreWord } from './inventory.ts'
import {
  dateParameters,
  destinationParameters,
  parseFilters,
  filterTitles,
  isFittingFilter,
  type HotelOffer,
  listHotelOffers,
  orders,
} from './offers.ts'
import {
  type AskedStay,
  readAskedStay,
  readDestinationStay,
  childrenParameter,
  guestParameters,
} from './stay.ts'

const priceParameters = [
  defineTaken('price_min', 'Lowest price of the whole stay, in US dollars.', 'number'),
  defineTaken('price_max', 'Highest price of the whole stay, in US dollars.', 'number'),
]

export const searchHotelDestination: TravelFunction = {
  name: 'Search_Hotel_Destination',
  about:
    'Finds places to stay by name: cities, airports, landmarks, hotels, addresses, countries. Gives `dest_id` and `search_type` for searches of hotels, and the coordinates of each place.',
  parameters: [
    defineNeeded('query', 'Name of the place, such as a city, a district, a landmark or a hotel.'),
  ],
  entries: [{ at: [], id: 'dest_id' }],
  answer: ({ seed }, args) =>
    createSuccessAnswer(
      findDestinations(seed, readTextArgument(args, 'query')).map(
        ({ id, type, name, label, place, hotels }) => ({
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
        }),
      ),
    ),
}

const filterByPrice = (offers: HotelOffer[], args: FunctionArguments) =>
  offers.filter(
    ({ price }) =>
      price >= readNumberArgument(args, 'price_min', 0) &&
      price <= readNumberArgument(args, 'price_max', Number.MAX_VALUE),
  )

function summarizeOffer(
  { hotel, price, kilometres }: HotelOffer,
  { arrival, nights, guests }: AskedStay,
): JsonObject {
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
      checkinDate: formatDay(arrival),
      checkoutDate: formatDay(arrival + nights),
      priceBreakdown: {
        grossPrice: { value: price, currency: 'USD' },
        excludedPrice: { value: roundDecimals(price * 0.12), currency: 'USD' },
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
    defineTaken('sort_by', 'Order of the hotels: an `id` of Get_Sort_By; popularity by default.'),
    defineTaken('categories_filter', 'Filters separated by commas: values of `genericId` of Get_Filter.'),
  ],
  entries: [{ at: ['hotels'], id: 'hotel_id' }],
  answer({ seed }, args) {
    const asked = readDestinationStay(seed, args)
    if ('fault' in asked) return refuseTravelCall(asked.fault)
    const { stay, destination } = asked
    const order = getOwnMember(orders, readTextArgument(args, 'sort_by') || 'popularity')
    if (!order) return refuseTravelCall(`sort_by must be one of ${Object.keys(orders).join(', ')}`)
    const filters = parseFilters(args)
    const unknown = filters.find((filter) => !Object.hasOwn(filterTitles(), filter))
    if (unknown !== undefined)
      return refuseTravelCall(`categories_filter contains the unknown filter ${unknown}`)
    const offers = filterByPrice(listHotelOffers(seed, destination.hotels, destination.place, stay), args)
      .filter(({ hotel }) => filters.every((filter) => isFittingFilter(hotel, filter)))
      .sort((a, b) => order.by(a) - order.by(b) || a.hotel.id - b.hotel.id)
    return createSuccessAnswer({
      hotels: offers.map((offer) => summarizeOffer(offer, stay)),
      meta: [{ title: `${offers.length} properties` }],
    })
  },
}

export const searchHotelsByCoordinates: TravelFunction = {
  name: 'Search_Hotels_By_Coordinates',
  about: 'Finds hotels around a point for a stay, the nearest first, with prices and scores.',
  parameters: [
    defineNeeded('latitude', 'Latitude of the point in degrees, such as that of Location_to_Lat_Long.'),
    defineNeeded('longitude', 'Longitude of the point in degrees, such as that of Location_to_Lat_Long.'),
    ...dateParameters,
    defineTaken('radius', 'Kilometres around the point, from 10 to 500; 100 by default.', 'number'),
    ...guestParameters,
    childrenParameter,
    ...priceParameters,
  ],
  entries: [{ at: ['result'], id: 'hotel_id' }],
  answer({ seed }, args) {
    const stay = readAskedStay(args)
    if ('fault' in stay) return refuseTravelCall(stay.fault)
    const point = {
      latitude: Number(readTextArgument(args, 'latitude')),
      longitude: Number(readTextArgument(args, 'longitude')),
    }
    const fault = findPointFault(point)
    if (fault) return refuseTravelCall(fault)
    const radius = readNumberArgument(args, 'radius', 100)
    if (radius < 10 || radius > 500) return refuseTravelCall('radius must be from 10 to 500')
    const around = listHotels(seed).filter((hotel) => measureKilometres(hotel, point) <= radius)
    const offers = filterByPrice(listHotelOffers(seed, around, point, stay), args)
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
    return createSuccessAnswer({ count: result.length, search_radius: radius, result })
  },
}

/** Finds the fault of coordinates, or null. */
export function findPointFault({
  latitude,
  longitude,
}: {
  latitude: number
  longitude: number
}): string | null {
  if (!(Math.abs(latitude) <= 90)) return 'latitude must be a number from -90 to 90'
  return Math.abs(longitude) <= 180 ? null : 'longitude must be a number from -180 to 180'
}

export const getNearbyCities: TravelFunction = {
  name: 'Get_Nearby_Cities',
  about: 'Gives the five cities that are nearest to a point, with their coordinates and distances.',
  parameters: [
    defineNeeded('latitude', 'Latitude of the point in degrees, such as that of Location_to_Lat_Long.'),
    defineNeeded('longitude', 'Longitude of the point in degrees, such as that of Location_to_Lat_Long.'),
  ],
  answer(_, args) {
    const point = {
      latitude: Number(readTextArgument(args, 'latitude')),
      longitude: Number(readTextArgument(args, 'longitude')),
    }
    const fault = findPointFault(point)
    if (fault) return refuseTravelCall(fault)
    const sorted = cities
      .map((city) => ({ city, kilometres: measureKilometres(city, point) }))
      .sort((a, b) => a.kilometres - b.kilometres)
    return createSuccessAnswer(
      sorted.slice(0, 5).map(({ city, kilometres }) => ({
        name: city.name,
        country: city.country,
        cc1: city.countryCode,
        latitude: city.latitude,
        longitude: city.longitude,
        distance_km: roundDecimals(kilometres, 1),
      })),
    )
  },
}
