/** Functions that give what a search of hotels can be narrowed and ordered by. */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import { createSuccessAnswer, refuseTravelCall, defineTaken, type TravelFunction } from '../function.ts'
import {
  dateParameters,
  destinationParameters,
  parseFilters,
  filterTitles,
  isFittingFilter,
  listHotelOffers,
  orders,
} from './offers.ts'
import { readDestinationStay, childrenParameter, guestParameters } from './stay.ts'

export const getFilter: TravelFunction = {
  name: 'Get_Filter',
  about:
    'Gives the filters that fit the hotels of a search. `genericId` of an option is a value of `categories_filter` of Search_Hotels.',
  parameters: [
    ...destinationParameters,
    ...dateParameters,
    ...guestParameters,
    childrenParameter,
    defineTaken('categories_filter', 'Filters that are set already, separated by commas; none at first.'),
  ],
  entries: [{ at: ['filters', '*', 'options'], id: 'genericId' }],
  answer({ seed }, args) {
    const asked = readDestinationStay(seed, args)
    if ('fault' in asked) return refuseTravelCall(asked.fault)
    const { stay, destination } = asked
    const filters = parseFilters(args)
    const hotels = destination.hotels.filter((hotel) =>
      filters.every((filter) => isFittingFilter(hotel, filter)),
    )
    const lowest = Math.min(
      ...listHotelOffers(seed, hotels, destination.place, stay).map(({ price }) => price),
    )
    const option = ([id, title]: [string, string]): JsonObject => ({
      title,
      genericId: id,
      countNotAutoextended: hotels.filter((hotel) => isFittingFilter(hotel, id)).length,
    })
    const titles = Object.entries(filterTitles())
    const group = (title: string, field: string): JsonValue => ({
      title,
      field,
      options: titles.filter(([id]) => id.startsWith(`${field}::`)).map(option),
    })
    return createSuccessAnswer({
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
    const asked = readDestinationStay(seed, args)
    if ('fault' in asked) return refuseTravelCall(asked.fault)
    return createSuccessAnswer(Object.entries(orders).map(([id, { title }]) => ({ id, title })))
  },
}
