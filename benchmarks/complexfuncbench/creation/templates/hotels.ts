/** Templates about hotels. */
import { call, constant, entry, once, slot, slots, type SampleTemplate } from '../template.ts'

const place = (of = 'place') => ({
  dest_id: entry(of, '', 'dest_id'),
  search_type: entry(of, '', 'search_type'),
})
const dates = { arrival_date: slot('arrival'), departure_date: slot('departure') }
const guests = { adults: slot('adults'), room_qty: slot('rooms') }
const stay = {
  arrival: { kind: 'date' },
  departure: { kind: 'date', after: 'arrival', days: [1, 12] },
  adults: { kind: 'count', from: 2, to: 4, format: 'words' },
  rooms: { kind: 'count', from: 1, to: 2, format: 'words' },
} as const
const cheapest = { by: ['least', 'property.priceBreakdown.grossPrice.value'] } as const

export const hotelTemplates: readonly SampleTemplate[] = [
  {
    id: 'Hotels-1',
    domain: 'Hotels',
    query:
      'We are {adults} adults with a child aged {age}, and we need {rooms} room(s) in {city} from {arrival} to {departure}. It must have a swimming pool. Which is the cheapest hotel then, how can we pay there, and which rooms are still available?',
    slots: { city: { kind: 'city' }, age: { kind: 'age' }, ...stay },
    values: {
      city: 'Barcelona',
      age: 6,
      arrival: '2024-11-15',
      departure: '2024-11-18',
      adults: 2,
      rooms: 1,
    },
    turns: [
      [call('place', 'Search_Hotel_Destination', { query: slot('city') })],
      [call('filters', 'Get_Filter', { ...place(), ...dates, ...guests, children_age: slot('age') })],
      [
        call('hotels', 'Search_Hotels', {
          ...place(),
          ...dates,
          ...guests,
          children_age: slot('age'),
          categories_filter: entry('filters', 'filters.0.options', 'genericId', {
            where: { title: { is: 'Swimming pool' } },
          }),
        }),
      ],
      [
        call('payments', 'Payment_features_of_the_Hotel', {
          hotel_id: entry('hotels', 'hotels', 'hotel_id', cheapest),
        }),
        call('open', 'Get_Room_List_With_Availability', {
          hotel_id: entry('hotels', 'hotels', 'hotel_id', cheapest),
          ...dates,
          ...guests,
          children_age: slot('age'),
        }),
      ],
    ],
    answer:
      'The cheapest hotel with a swimming pool is {hotel}, at {price} US dollars for the stay. It takes {card}, and the {room} is available.',
    tells: {
      hotel: entry('hotels', 'hotels', 'property.name', cheapest),
      price: entry('hotels', 'hotels', 'property.priceBreakdown.grossPrice.value', cheapest),
      card: entry('payments', '', 'name'),
      room: entry('open', 'available', 'name'),
    },
  },
  {
    id: 'Hotels-2',
    domain: 'Hotels',
    query:
      'Find hotels within {radius} km of {landmark} in {city} for {adults} adults and {rooms} room(s), check-in {arrival} and check-out {departure}. How do guests score the highest rated one, and what are its rules?',
    slots: {
      city: { kind: 'city' },
      landmark: { kind: 'landmark', of: 'city' },
      radius: { kind: 'distance' },
      ...stay,
      arrival: { kind: 'date', format: 'day first' },
      departure: { kind: 'date', after: 'arrival', days: [1, 10], format: 'day first' },
    },
    values: {
      city: 'Melbourne',
      landmark: 'Fitzroy Gardens',
      radius: 10,
      arrival: '2024-12-15',
      departure: '2024-12-16',
      adults: 2,
      rooms: 1,
    },
    turns: [
      [call('point', 'Location_to_Lat_Long', { query: slots('landmark', 'city') })],
      [
        call('hotels', 'Search_Hotels_By_Coordinates', {
          latitude: entry('point', '', 'geometry.location.lat'),
          longitude: entry('point', '', 'geometry.location.lng'),
          radius: slot('radius'),
          ...dates,
          ...guests,
        }),
      ],
      [
        call('scores', 'Get_Hotel_Review_Scores', {
          hotel_id: entry('hotels', 'result', 'hotel_id', { by: ['most', 'review_score'] }),
        }),
        call('rules', 'Get_Hotel_Policies', {
          hotel_id: entry('hotels', 'result', 'hotel_id', { by: ['most', 'review_score'] }),
        }),
      ],
    ],
    answer: 'The highest rated hotel is {hotel} with {score} points. {rule}',
    tells: {
      hotel: entry('hotels', 'result', 'hotel_name', { by: ['most', 'review_score'] }),
      score: once('scores', 'average_score'),
      rule: entry('rules', 'policy', 'content'),
    },
  },
  {
    id: 'Hotels-3',
    domain: 'Hotels',
    query:
      'My parents plan to stay at the {hotel} in {city} from {arrival} to {departure}: {adults} adults in {rooms} room(s), with a grandchild of {age}. Show me its reviews, newest first, and tell me what it says about children.',
    slots: { city: { kind: 'city' }, hotel: { kind: 'hotel', of: 'city' }, age: { kind: 'age' }, ...stay },
    values: {
      city: 'Vienna',
      hotel: 'Hilton Vienna',
      age: 4,
      arrival: '2024-12-03',
      departure: '2024-12-07',
      adults: 2,
      rooms: 1,
    },
    turns: [
      [call('place', 'Search_Hotel_Destination', { query: slot('hotel') })],
      [
        call('hotels', 'Search_Hotels', {
          ...place(),
          ...dates,
          ...guests,
          children_age: slot('age'),
        }),
      ],
      [
        call('orders', 'Get_Hotel_Reviews(Tips)_Sort_Option', {
          hotel_id: entry('hotels', 'hotels', 'hotel_id'),
        }),
        call('children', 'Property_Children_Policies', { hotel_id: entry('hotels', 'hotels', 'hotel_id') }),
      ],
      [
        call('reviews', 'Get_Hotel_Reviews(Tips)', {
          hotel_id: entry('hotels', 'hotels', 'hotel_id'),
          sort_option_id: entry('orders', 'sorting', 'id', { where: { name: { is: 'Newest first' } } }),
        }),
      ],
    ],
    answer: 'The newest review of {hotel} gives it {score} points. {rule}: {bed}.',
    tells: {
      score: entry('reviews', 'result', 'average_score'),
      rule: entry('children', 'cribs_and_extra_beds', 'rule'),
      bed: entry('children', 'cribs_and_extra_beds', 'bed_type'),
    },
  },
  {
    id: 'Hotels-4',
    domain: 'Hotels',
    query:
      'Please book the room with the lowest price in the cheapest hotel of {city} for {adults} adults, {rooms} room(s), arriving on {arrival} and leaving on {departure}. Our daughter of {age} comes along.',
    slots: { city: { kind: 'city' }, age: { kind: 'age' }, ...stay },
    values: { city: 'Lisbon', age: 3, arrival: '2024-11-20', departure: '2024-11-23', adults: 2, rooms: 1 },
    turns: [
      [call('place', 'Search_Hotel_Destination', { query: slot('city') })],
      [
        call('hotels', 'Search_Hotels', {
          ...place(),
          ...dates,
          ...guests,
          children_age: slot('age'),
          sort_by: constant('price'),
        }),
      ],
      [
        call('open', 'Get_Room_List_With_Availability', {
          hotel_id: entry('hotels', 'hotels', 'hotel_id', cheapest),
          ...dates,
          ...guests,
          children_age: slot('age'),
        }),
      ],
      [
        call('booking', 'Book_Hotel_Room', {
          hotel_id: entry('hotels', 'hotels', 'hotel_id', cheapest),
          room_id: entry('open', 'available', 'room_id', {
            by: ['least', 'product_price_breakdown.gross_amount'],
          }),
          ...dates,
          ...guests,
          children_age: slot('age'),
        }),
      ],
    ],
    answer: 'I booked the room with the lowest price at {hotel} in {city} for {price} US dollars.',
    tells: {
      hotel: entry('hotels', 'hotels', 'property.name', cheapest),
      price: once('booking', 'details.price.value'),
    },
  },
]
