/** Offers of a destination: prices, filters and orders of hotel searches. */
import { roundDecimals } from '../draw.ts'
import { type FunctionArguments, defineNeeded, readTextArgument } from '../function.ts'
import { measureKilometres } from '../geography/places.ts'
import { facilities, type TravelHotel, computeStayPrice } from './inventory.ts'
import type { AskedStay } from './stay.ts'

export const destinationParameters = [
  defineNeeded('dest_id', 'The place to stay: `dest_id` of Search_Hotel_Destination.'),
  defineNeeded('search_type', 'What kind of place that is: `search_type` of Search_Hotel_Destination.'),
]
export const dateParameters = [
  defineNeeded('arrival_date', 'Day of check-in, as YYYY-MM-DD.'),
  defineNeeded('departure_date', 'Day of check-out, as YYYY-MM-DD.'),
]
export const orders: Readonly<Record<string, { title: string; by: (offer: HotelOffer) => number }>> = {
  popularity: { title: 'Our top picks', by: ({ hotel }) => -hotel.reviews },
  price: { title: 'Price (lowest first)', by: ({ price }) => price },
  bayesian_review_score: { title: 'Best reviewed first', by: ({ hotel }) => -hotel.score },
  class_descending: { title: 'Property rating (high to low)', by: ({ hotel }) => -hotel.stars },
  class_ascending: { title: 'Property rating (low to high)', by: ({ hotel }) => hotel.stars },
  distance: { title: 'Distance from the place', by: ({ kilometres }) => kilometres },
}
export interface HotelOffer {
  hotel: TravelHotel
  price: number
  kilometres: number
}

export const filterTitles = (): Readonly<Record<string, string>> => ({
  ...facilities,
  'mealplan::breakfast_included': 'Breakfast included',
  ...Object.fromEntries([2, 3, 4, 5].map((stars) => [`class::${stars}`, `${stars} stars`])),
})
export const isFittingFilter = (
  { facilities: hotelFacilities, breakfast, stars }: TravelHotel,
  filter: string,
) =>
  hotelFacilities.includes(filter) ||
  (filter === 'mealplan::breakfast_included' && breakfast) ||
  filter === `class::${stars}`
export const parseFilters = (args: FunctionArguments) =>
  readTextArgument(args, 'categories_filter')
    .split(',')
    .map((filter) => filter.trim())
    .filter(Boolean)

export function listHotelOffers(
  seed: string,
  hotels: readonly TravelHotel[],
  centre: { latitude: number; longitude: number },
  { arrival, nights, guests }: AskedStay,
): HotelOffer[] {
  return hotels.map((hotel) => ({
    hotel,
    price: computeStayPrice(seed, hotel, { arrival, nights }, guests),
    kilometres: roundDecimals(measureKilometres(hotel, centre), 1),
  }))
}
