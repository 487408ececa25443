/** Functions about attractions: locations, searches, details, days and hours. */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import { ticketsTaken } from '../bookings/booking.ts'
import { dateOf, dayOf, timeOf } from '../dates.ts'
import { rngOf, round } from '../draw.ts'
import { success, needs, refused, takes, text, type TravelFunction } from '../function.ts'
import { findPlaces } from '../geography/places.ts'
import {
  cityNumber,
  cityOfId,
  destinationId,
  findProducts,
  type Product,
  productOfId,
  productOfSlug,
  productsOf,
  slotsOf,
} from './inventory.ts'

/** The first day that can be booked: trips of this world are in November and December 2024. */
const firstDay = dayOf('2024-11-01')!

const searchAttractionLocation: TravelFunction = {
  name: 'Search_Attraction_Location',
  about:
    'Finds attractions and places that have some, by name. `id` of a place is what a search needs; an attraction has `id` and `productSlug`.',
  parameters: [needs('query', 'Name of a place or an attraction.')],
  entries: [
    { at: ['destinations'], id: 'id' },
    { at: ['products'], id: 'productSlug' },
  ],
  answer({ seed }, args) {
    const query = text(args, 'query')
    const cities = findPlaces(query, ['city']).map(({ city }) => city)
    // A place's name alone asks for the place.
    const products = cities.length > 0 ? [] : findProducts(seed, query)
    return success({
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
        id: destinationId(seed, city),
        ufi: cityNumber(seed, city),
        cityName: city.name,
        country: city.country,
        cc1: city.countryCode,
        productCount: productsOf(seed, city).length,
      })),
    })
  },
}

const orders: Readonly<Record<string, (product: Product) => number>> = {
  trending: ({ popularity }) => -popularity,
  attr_book_score: ({ score }) => -score,
  lowest_price: ({ price }) => price,
}

const summaryOf = ({ id, slug, title, price, score, reviews, freeCancellation }: Product): JsonObject => ({
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
    needs('id', 'The place: `id` in `destinations` of Search_Attraction_Location.'),
    takes('sortBy', 'Order: trending (default), attr_book_score (best scores first) or lowest_price.'),
  ],
  entries: [{ at: ['products'], id: 'slug' }],
  answer({ seed }, args) {
    const city = cityOfId(seed, text(args, 'id'))
    if (!city) return refused('no place has this id')
    const order = orders[text(args, 'sortBy') || 'trending']
    if (!order) return refused(`sortBy must be one of ${Object.keys(orders).join(', ')}`)
    const products = productsOf(seed, city)
      .map((product) => ({ product, by: order(product) }))
      .sort((a, b) => a.by - b.by || (a.product.slug < b.product.slug ? -1 : 1))
    return success({
      products: products.map(({ product }) => summaryOf(product)),
      sorters: Object.keys(orders).map((value) => ({ value })),
      filterStats: { filteredProductCount: products.length },
    })
  },
}

const slugParameter = needs(
  'slug',
  'The attraction: `slug` of Search_Attractions, or `productSlug` of Search_Attraction_Location.',
)
const noProduct = refused('no attraction has this slug')

const getAttractionDetails: TravelFunction = {
  name: 'Get_Attraction_Details',
  about: 'Gives the details of an attraction: description, duration, price, score, what is included.',
  parameters: [slugParameter],
  answer({ seed }, args) {
    const product = productOfSlug(seed, text(args, 'slug'))
    if (!product) return noProduct
    const rng = rngOf(seed, 'attraction', product.id)
    return success({
      ...summaryOf(product),
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
    takes('date', 'The day, as YYYY-MM-DD; the first day that can be booked by default.'),
  ],
  entries: [{ at: [], id: 'start' }],
  answer({ seed, bookings }, args) {
    const product = productOfSlug(seed, text(args, 'slug'))
    if (!product) return noProduct
    const day = args['date'] === undefined ? firstDay : dayOf(text(args, 'date'))
    if (day === null) return refused('date must be a date as YYYY-MM-DD')
    const date = dateOf(day)
    return success(
      slotsOf(seed, product, day).map(({ hour, tickets }): JsonValue => {
        const time = timeOf(hour * 60)
        return {
          start: `${date}T${time}:00`,
          time,
          timeSlotOffers: [
            {
              title: product.title,
              availableTickets: tickets - ticketsTaken(bookings, product.slug, date, time),
              price: { chargeAmount: round(product.price * (hour < 11 ? 0.9 : 1)), currency: 'USD' },
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
    needs('id', 'The attraction: `id` in `products` of Search_Attractions or Search_Attraction_Location.'),
  ],
  answer({ seed }, args) {
    const product = productOfId(seed, text(args, 'id'))
    if (!product) return refused('no attraction has this id')
    return success(
      Array.from({ length: 30 }, (_, at) => ({
        date: dateOf(firstDay + at),
        available: slotsOf(seed, product, firstDay + at).length > 0,
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
