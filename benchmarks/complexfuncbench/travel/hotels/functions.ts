/** All functions about hotels. */
import type { TravelFunction } from '../function.ts'
import {
  getDescriptionAndInfo,
  getHotelDetails,
  getHotelPolicies,
  getPopularAttractionNearBy,
  getQuestionAndAnswer,
  paymentFeatures,
  propertyChildrenPolicies,
} from './details.ts'
import {
  getHotelReviews,
  getHotelReviewScores,
  getHotelReviewsFilterMetadata,
  getHotelReviewsSortOption,
} from './reviews.ts'
import { getRoomAvailability, getRoomList, getRoomListWithAvailability } from './rooms.ts'
import { getFilter, getSortBy } from './filters.ts'
import { getNearbyCities, searchHotelDestination, searchHotels, searchHotelsByCoordinates } from './search.ts'

export const hotelFunctions: readonly TravelFunction[] = [
  searchHotelDestination,
  searchHotels,
  searchHotelsByCoordinates,
  getFilter,
  getSortBy,
  getHotelDetails,
  getDescriptionAndInfo,
  getHotelPolicies,
  propertyChildrenPolicies,
  paymentFeatures,
  getQuestionAndAnswer,
  getPopularAttractionNearBy,
  getNearbyCities,
  getRoomList,
  getRoomListWithAvailability,
  getRoomAvailability,
  getHotelReviews,
  getHotelReviewsSortOption,
  getHotelReviewScores,
  getHotelReviewsFilterMetadata,
]
