/** Functions about one hotel: what it is, its rules, its payments, its questions, its surroundings. */
import type { JsonValue } from '@stateeval/contracts'
import { formatTime } from '../dates.ts'
import { createLabelRng, roundDecimals } from '../draw.ts'
import {
  type FunctionAnswer,
  createSuccessAnswer,
  readTextArgument,
  type TravelFunction,
} from '../function.ts'
import { cityPlaces, measureKilometres } from '../geography/places.ts'
import { facilities, type TravelHotel, findHotelById, scoreWord } from './inventory.ts'
import { hotelParameter, noHotel } from './rooms.ts'

/** A function whose only parameter is the hotel. */
export const defineHotelFunction = (
  name: string,
  about: string,
  say: (hotel: TravelHotel, seed: string) => JsonValue,
  more: Partial<TravelFunction> = {},
): TravelFunction => ({
  name,
  about,
  parameters: [hotelParameter],
  answer({ seed }, args): FunctionAnswer {
    const hotel = findHotelById(seed, readTextArgument(args, 'hotel_id'))
    return hotel ? createSuccessAnswer(say(hotel, seed)) : noHotel
  },
  ...more,
})

const drawTimes = (seed: string, { id }: TravelHotel) => {
  const rng = createLabelRng(seed, 'times', id)
  return {
    checkin: { from: formatTime(rng.int(13, 16) * 60), until: formatTime(rng.int(20, 23) * 60) },
    checkout: { from: formatTime(rng.int(6, 8) * 60), until: formatTime(rng.int(10, 12) * 60) },
  }
}
const listFacilityTitles = (hotel: TravelHotel) => hotel.facilities.map((id) => facilities[id]!)

export const getHotelDetails = defineHotelFunction(
  'Get_Hotel_Details',
  'Gives the details of a hotel: address, class, score, facilities, times of check-in and check-out.',
  (hotel, seed) => ({
    hotel_id: hotel.id,
    hotel_name: hotel.name,
    address: `${createLabelRng(seed, 'address', hotel.id).int(1, 240)} ${hotel.city.landmarks[0]} Street`,
    city: hotel.city.name,
    country_trans: hotel.city.country,
    latitude: hotel.latitude,
    longitude: hotel.longitude,
    class: hotel.stars,
    review_nr: hotel.reviews,
    review_score: hotel.score,
    review_score_word: scoreWord(hotel.score),
    breakfast_included: hotel.breakfast,
    facilities_block: { name: 'Most popular facilities', facilities: listFacilityTitles(hotel) },
    ...drawTimes(seed, hotel),
  }),
)

export const getDescriptionAndInfo = defineHotelFunction(
  'Get_Description_And_Info',
  'Gives the descriptions of a hotel and its neighbourhood.',
  (hotel) => [
    {
      descriptiontype_id: 6,
      languagecode: 'en',
      description: `${hotel.name} is a ${hotel.stars}-star hotel in ${hotel.city.name}. It offers ${listFacilityTitles(hotel).join(', ')}.`,
    },
    {
      descriptiontype_id: 7,
      languagecode: 'en',
      description: `${listNearestPlaces(hotel)[0]!.name} is ${listNearestPlaces(hotel)[0]!.distance_km} km from ${hotel.name}. Its guests give it ${hotel.score} of 10 points.`,
    },
  ],
)

function listNearestPlaces(hotel: TravelHotel) {
  return cityPlaces
    .get(hotel.city.name)!
    .filter(({ type }) => type === 'landmark')
    .map((place) => ({
      name: place.name,
      latitude: place.latitude,
      longitude: place.longitude,
      distance_km: roundDecimals(measureKilometres(place, hotel), 2),
    }))
    .sort((a, b) => a.distance_km - b.distance_km)
}

export const getPopularAttractionNearBy = defineHotelFunction(
  'Get_Popular_Attraction_Near_By',
  'Gives the landmarks around a hotel with their distances: the most popular ones, and the closest ones.',
  (hotel) => ({
    hotel_id: hotel.id,
    popular_landmarks: [...listNearestPlaces(hotel)].sort((a, b) => (a.name < b.name ? -1 : 1)),
    closest_landmarks: listNearestPlaces(hotel),
  }),
)

export const getHotelPolicies = defineHotelFunction(
  'Get_Hotel_Policies',
  'Gives the rules of a hotel: times, pets, smoking, parties, deposits.',
  (hotel, seed) => {
    const rng = createLabelRng(seed, 'policies', hotel.id)
    return {
      hotel_id: hotel.id,
      ...drawTimes(seed, hotel),
      policy: [
        {
          type: 'POLICY_HOTEL_PETS',
          content: hotel.facilities.includes('facility::4') ? 'Pets are allowed.' : 'Pets are not allowed.',
        },
        {
          type: 'POLICY_HOTEL_SMOKING',
          content: rng.chance(0.8) ? 'Smoking is not allowed.' : 'Smoking rooms are available.',
        },
        {
          type: 'POLICY_HOTEL_PARTIES',
          content: rng.chance(0.6) ? 'Parties are not allowed.' : 'Parties are allowed on request.',
        },
        {
          type: 'POLICY_HOTEL_DEPOSIT',
          content: `A deposit of US$${rng.int(2, 20) * 10} is taken at check-in.`,
        },
      ],
    }
  },
)

export const propertyChildrenPolicies = defineHotelFunction(
  'Property_Children_Policies',
  'Gives what a hotel says about children, cots and extra beds, with prices by age.',
  (hotel, seed) => {
    const rng = createLabelRng(seed, 'children', hotel.id)
    const first = rng.int(2, 4)
    return {
      hotel_id: hotel.id,
      children_at_the_property: [{ text: 'Children of any age are welcome.' }],
      cribs_and_extra_beds: [
        {
          rule: `Age 0 to ${first}`,
          bed_type: 'Cot on request',
          price: { value: 0, currency: 'USD' },
        },
        {
          rule: `Age ${first + 1} to 17`,
          bed_type: 'Extra bed on request',
          price: { value: rng.int(10, 45), currency: 'USD' },
        },
      ],
    }
  },
)

export const paymentFeatures = defineHotelFunction(
  'Payment_features_of_the_Hotel',
  'Gives the ways to pay that a hotel accepts.',
  ({ payments }) =>
    payments.map((name, at) => ({
      creditcard_id: at + 1,
      name,
      payable: true,
      bookable: name !== 'Cash',
      cvc_required: name !== 'Cash' && name !== 'Maestro',
    })),
)

export const getQuestionAndAnswer = defineHotelFunction(
  'Get_Question_And_Answer',
  'Gives what guests asked a hotel and what it answered.',
  (hotel, seed) => {
    const rng = createLabelRng(seed, 'questions', hotel.id)
    const has = (id: string) => (hotel.facilities.includes(id) ? 'Yes, we do.' : 'No, we don’t.')
    const pairs = [
      ['Do you have a swimming pool?', has('facility::433')],
      ['Do you have a car park?', has('facility::2')],
      ['Do you have an airport shuttle?', has('facility::17')],
      ['Can luggage be left after check-out?', `Yes, for up to ${rng.int(2, 24)} hours.`],
    ] as const
    return {
      hotel_id: hotel.id,
      q_and_a_pairs: pairs.map(([question, answer]) => ({ question, answer })),
    }
  },
)
