/** Functions about what guests say of a hotel. */
import { getOwnMember } from '@stateeval/contracts'
import { formatDay } from '../dates.ts'
import { createLabelRng, roundDecimals } from '../draw.ts'
import {
  createSuccessAnswer,
  refuseTravelCall,
  defineTaken,
  readTextArgument,
  type TravelFunction,
} from '../function.ts'
import { type TravelHotel, findHotelById, scoreWord } from './inventory.ts'
import { defineHotelFunction } from './details.ts'
import { hotelParameter, noHotel } from './rooms.ts'

interface HotelReview {
  author: string
  kind: string
  day: number
  score: number
  pros: string
  cons: string
}
const authors = ['Alex', 'Mei', 'Jonas', 'Priya', 'Lucia', 'Omar', 'Sofia', 'Kenji', 'Nora', 'Liam']
const kinds = [
  'Solo traveller',
  'Couple',
  'Family with young children',
  'Group of friends',
  'Business traveller',
]
const pros = ['Quiet room', 'Friendly staff', 'Great breakfast', 'Close to the station', 'Spotless bathroom']
const cons = ['Slow lift', 'Small room', 'Noisy street', 'Expensive parking', 'Weak shower']
/** Reviews were written before the days on which the world's trips begin. */
const lastDay = 20_028

function listReviews(seed: string, { id, score }: TravelHotel): HotelReview[] {
  const rng = createLabelRng(seed, 'reviews', id)
  // Days and scores are all different, so that an order by them is one order.
  const days = rng.sample(
    Array.from({ length: 300 }, (_, at) => at),
    8,
  )
  const steps = rng.sample([-12, -9, -6, -3, 0, 2, 4, 6, 8], 8)
  return days.map((day, at) => ({
    author: rng.pick(authors),
    kind: rng.pick(kinds),
    day: lastDay - day,
    score: roundDecimals(Math.min(10, Math.max(1, score + steps[at]! / 4)), 2),
    pros: rng.pick(pros),
    cons: rng.pick(cons),
  }))
}

const orders: Readonly<Record<string, { title: string; by: (review: HotelReview, at: number) => number }>> = {
  f_relevance: { title: 'Most relevant', by: (_, at) => at },
  f_recent_desc: { title: 'Newest first', by: ({ day }) => -day },
  f_recent_asc: { title: 'Oldest first', by: ({ day }) => day },
  f_score_desc: { title: 'Highest scores', by: ({ score }) => -score },
  f_score_asc: { title: 'Lowest scores', by: ({ score }) => score },
}

export const getHotelReviews: TravelFunction = {
  name: 'Get_Hotel_Reviews(Tips)',
  about: 'Gives reviews of a hotel by its guests.',
  parameters: [
    hotelParameter,
    defineTaken(
      'sort_option_id',
      'Order of the reviews: an `id` of Get_Hotel_Reviews(Tips)_Sort_Option; the most relevant first by default.',
    ),
  ],
  answer({ seed }, args) {
    const hotel = findHotelById(seed, readTextArgument(args, 'hotel_id'))
    if (!hotel) return noHotel
    const order = getOwnMember(orders, readTextArgument(args, 'sort_option_id') || 'f_relevance')
    if (!order) return refuseTravelCall(`sort_option_id must be one of ${Object.keys(orders).join(', ')}`)
    const sorted = listReviews(seed, hotel)
      .map((review, at) => ({ review, by: order.by(review, at) }))
      .sort((a, b) => a.by - b.by)
    return createSuccessAnswer({
      count: hotel.reviews,
      sort_type: readTextArgument(args, 'sort_option_id') || 'f_relevance',
      result: sorted.map(({ review }) => ({
        author: { name: review.author, type_string: review.kind },
        date: formatDay(review.day),
        average_score: review.score,
        pros: review.pros,
        cons: review.cons,
      })),
    })
  },
}

export const getHotelReviewsSortOption = defineHotelFunction(
  'Get_Hotel_Reviews(Tips)_Sort_Option',
  'Gives the orders that reviews of a hotel can have: `id` is a value of `sort_option_id` of Get_Hotel_Reviews(Tips).',
  ({ id: hotel_id }) => ({
    hotel_id,
    sorting: Object.entries(orders).map(([id, { title }]) => ({ id, name: title })),
  }),
  { entries: [{ at: ['sorting'], id: 'id' }] },
)

const parts = ['Staff', 'Facilities', 'Cleanliness', 'Comfort', 'Value for money', 'Location']

export const getHotelReviewScores = defineHotelFunction(
  'Get_Hotel_Review_Scores',
  'Gives the scores of a hotel: overall, by what is scored, and by kind of guest.',
  (hotel, seed) => {
    const rng = createLabelRng(seed, 'scores', hotel.id)
    const near = () => roundDecimals(Math.min(10, Math.max(1, hotel.score + rng.int(-10, 10) / 10)), 1)
    return {
      hotel_id: hotel.id,
      average_score: hotel.score,
      score_word: scoreWord(hotel.score),
      review_count: hotel.reviews,
      score_breakdown: parts.map((question) => ({ question, score: near() })),
      score_by_customer: kinds.map((customer_type) => ({ customer_type, average_score: near() })),
    }
  },
)

export const getHotelReviewsFilterMetadata = defineHotelFunction(
  'Get_Hotel_Reviews_Filter_Metadata',
  'Gives by what reviews of a hotel can be narrowed: kinds of guests, and how many reviews each has.',
  (hotel, seed) => {
    const rng = createLabelRng(seed, 'reviewers', hotel.id)
    return {
      hotel_id: hotel.id,
      customer_type: kinds.map((title) => ({ title, count: rng.int(5, hotel.reviews) })),
    }
  },
)
