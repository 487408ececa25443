/** Filters and orders of hotel searches, and what both cost: offers of a destination. */
import { round } from '../draw.ts'
import { type Arguments, needs, text } from '../function.ts'
import { distance } from '../geography/places.ts'
import { facilities, type Hotel, priceOf } from './inventory.ts'
import type { Asked } from './stay.ts'

export const destinationParameters = [
  needs('dest_id', 'The place to stay: `dest_id` of Search_Hotel_Destination.'),
  needs('search_type', 'What kind of place that is: `search_type` of Search_Hotel_Destination.'),
]
export const dateParameters = [
  needs('arrival_date', 'Day of check-in, as YYYY-MM-DD.'),
  needs('departure_date', 'Day of check-out, as YYYY-MM-DD.'),
]
export const orders: Readonly<Record<string, { title: string; by: (offer: Offer) => number }>> = {
  popularity: { title: 'Our top picks', by: ({ hotel }) => -hotel.reviews },
  price: { title: 'Price (lowest first)', by: ({ price }) => price },
  bayesian_review_score: { title: 'Best reviewed first', by: ({ hotel }) => -hotel.score },
  class_descending: { title: 'Property rating (high to low)', by: ({ hotel }) => -hotel.stars },
  class_ascending: { title: 'Property rating (low to high)', by: ({ hotel }) => hotel.stars },
  distance: { title: 'Distance from the place', by: ({ kilometres }) => kilometres },
}
export interface Offer {
  hotel: Hotel
  price: number
  kilometres: number
}

export const filterTitles = (): Readonly<Record<string, string>> => ({
  ...facilities,
  'mealplan::breakfast_included': 'Breakfast included',
  ...Object.fromEntries([2, 3, 4, 5].map((stars) => [`class::${stars}`, `${stars} stars`])),
})
export const fits = ({ facilities: hotelFacilities, breakfast, stars }: Hotel, filter: string) =>
  hotelFacilities.includes(filter) ||
  (filter === 'mealplan::breakfast_included' && breakfast) ||
  filter === `class::${stars}`
export const filtersIn = (args: Arguments) =>
  text(args, 'categories_filter')
    .split(',')
    .map((filter) => filter.trim())
    .filter(Boolean)

export function offersOf(
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
