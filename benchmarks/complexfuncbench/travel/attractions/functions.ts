/** Functions about attractions: locations, searches, details, days and hours. */
import { getOwnMember, type JsonValue, type JsonObject } from '@stateeval/contracts'
import { countTakenTickets } from '../bookings/booking.ts'
import { formatDay, parseDay, formatTime } from '../dates.ts'
import { createLabelRng, roundDecimals } from '../draw.ts'
import {
  createSuccessAnswer,
  defineNeeded,
  refuseTravelCall,
  defineTaken,
  readTextArgument,
  type TravelFunction,
} from '../function.ts'
import { findPlaces } from '../geography/places.ts'
import {
  getCityNumber,
  findCityById,
  createDestinationId,
  findProducts,
  type AttractionProduct,
  findProductById,
  findProductBySlug,
  listProducts,
  listProductSlots,
} from './inventory.ts'

/** The first day that can be booked: trips of this world are in November and December 2024. */
const firstDay = parseDay('2024-11-01')!

const searchAttractionLocation: TravelFunction = {
  name: 'Search_Attraction_Location',
  about:
    'Finds attractions and places that have some, by name. `id` of a place is what a search needs; an attraction has `id` and `productSlug`.',
  parameters: [defineNeeded('query', 'Name of a place or an attraction.')],
  entries: [
    { at: ['destinations'], id: 'id' },
    { at: ['products'], id: 'productSlug' },
  ],
  answer({ seed }, args) {
    const query = readTextArgument(args, 'query')
    const cities = findPlaces(query, ['city']).map(({ city }) => city)
    // A place's name alone asks for the place.
    const products = cities.length > 0 ? [] : findProducts(seed, query)
    return createSuccessAnswer({
      products: products.slice(0, 6).map(({ id, slug, title, city }) => ({
        __typename: 'AttractionsProductSuggestion',
        id,
        productId: id,
        productSlug: slug,
        title,
        cityName: city.name,
        countryCode: city.countryCode,
      })),
      destinations: cities.slice(0, 6).map((city) => ({
        __typename: 'AttractionsSearchDestinationSuggestion',
        id: createDestinationId(seed, city),
        ufi: getCityNumber(seed, city),
        cityName: city.name,
        country: city.country,
        cc1: city.countryCode,
        productCount: listProducts(seed, city).length,
      })),
    })
  },
}

const orders: Readonly<Record<string, (product: AttractionProduct) => number>> = {
  trending: ({ popularity }) => -popularity,
  attr_book_score: ({ score }) => -score,
  lowest_price: ({ price }) => price,
}

const summarizeProduct = ({
  id,
  slug,
  title,
  price,
  score,
  reviews,
  freeCancellation,
}: AttractionProduct): JsonObject => ({
  id,
  slug,
  name: title,
  representativePrice: { chargeAmount: price, currency: 'USD' },
  reviewsStats: { combinedNumericStats: { average: score, total: reviews } },
  cancellationPolicy: { hasFreeCancellation: freeCancellation },
})

const searchAttractions: TravelFunction = {
  name: 'Search_Attractions',
  about: 'Gives the attractions of a place with prices and scores. `slug` and `id` name one in later calls.',
  parameters: [
    defineNeeded('id', 'The place: `id` in `destinations` of Search_Attraction_Location.'),
    defineTaken('sortBy', 'Order: trending (default), attr_book_score (best scores first) or lowest_price.'),
  ],
  entries: [{ at: ['products'], id: 'slug' }],
  answer({ seed }, args) {
    const city = findCityById(seed, readTextArgument(args, 'id'))
    if (!city) return refuseTravelCall('no place has this id')
    const order = getOwnMember(orders, readTextArgument(args, 'sortBy') || 'trending')
    if (!order) return refuseTravelCall(`sortBy must be one of ${Object.keys(orders).join(', ')}`)
    const products = listProducts(seed, city)
      .map((product) => ({ product, by: order(product) }))
      .sort((a, b) => a.by - b.by || (a.product.slug < b.product.slug ? -1 : 1))
    return createSuccessAnswer({
      products: products.map(({ product }) => summarizeProduct(product)),
      sorters: Object.keys(orders).map((value) => ({ value })),
      filterStats: { filteredProductCount: products.length },
    })
  },
}

const slugParameter = defineNeeded(
  'slug',
  'The attraction: `slug` of Search_Attractions, or `productSlug` of Search_Attraction_Location.',
)
const noProduct = refuseTravelCall('no attraction has this slug')

const getAttractionDetails: TravelFunction = {
  name: 'Get_Attraction_Details',
  about: 'Gives the details of an attraction: description, duration, price, score, what is included.',
  parameters: [slugParameter],
  answer({ seed }, args) {
    const product = findProductBySlug(seed, readTextArgument(args, 'slug'))
    if (!product) return noProduct
    const rng = createLabelRng(seed, 'attraction', product.id)
    return createSuccessAnswer({
      ...summarizeProduct(product),
      description: `${product.title} takes ${product.minutes} minutes.`,
      ufiDetails: { bCityName: product.city.name },
      additionalInfo: { duration: product.minutes, meetingPoint: rng.pick(product.city.landmarks) },
      whatsIncluded: rng.sample(['Entrance', 'Guide', 'Headset', 'Drink', 'Transfer'], rng.int(1, 3)),
      supportedLanguages: rng.sample(['English', 'French', 'Spanish', 'German', 'Japanese'], rng.int(1, 3)),
    })
  },
}

const getAvailability: TravelFunction = {
  name: 'Get_Availability',
  about: 'Gives the hours at which an attraction can be visited on a day, with tickets left and prices.',
  parameters: [
    slugParameter,
    defineTaken('date', 'The day, as YYYY-MM-DD; the first day that can be booked by default.'),
  ],
  entries: [{ at: [], id: 'start' }],
  answer({ seed, bookings }, args) {
    const product = findProductBySlug(seed, readTextArgument(args, 'slug'))
    if (!product) return noProduct
    const day = args['date'] === undefined ? firstDay : parseDay(readTextArgument(args, 'date'))
    if (day === null) return refuseTravelCall('date must be a date as YYYY-MM-DD')
    const date = formatDay(day)
    return createSuccessAnswer(
      listProductSlots(seed, product, day).map(({ hour, tickets }): JsonValue => {
        const time = formatTime(hour * 60)
        return {
          start: `${date}T${time}:00`,
          time,
          timeSlotOffers: [
            {
              title: product.title,
              availableTickets: tickets - countTakenTickets(bookings, product.slug, date, time),
              price: { chargeAmount: roundDecimals(product.price * (hour < 11 ? 0.9 : 1)), currency: 'USD' },
            },
          ],
        }
      }),
    )
  },
}

const getAvailabilityCalendar: TravelFunction = {
  name: 'Get_Availability_Calendar',
  about: 'Gives on which of the coming days an attraction is open.',
  parameters: [
    defineNeeded(
      'id',
      'The attraction: `id` in `products` of Search_Attractions or Search_Attraction_Location.',
    ),
  ],
  answer({ seed }, args) {
    const product = findProductById(seed, readTextArgument(args, 'id'))
    if (!product) return refuseTravelCall('no attraction has this id')
    return createSuccessAnswer(
      Array.from({ length: 30 }, (_, at) => ({
        date: formatDay(firstDay + at),
        available: listProductSlots(seed, product, firstDay + at).length > 0,
      })),
    )
  },
}

export const attractionFunctions: readonly TravelFunction[] = [
  searchAttractionLocation,
  searchAttractions,
  getAttractionDetails,
  getAvailability,
  getAvailabilityCalendar,
]
