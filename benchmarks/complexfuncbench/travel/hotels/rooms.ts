/** Functions about the rooms of a hotel: prices by day, rooms that are left. */
import type { JsonObject } from '@stateeval/contracts'
import { countBookedRooms } from '../bookings/booking.ts'
import { formatDay, readStay } from '../dates.ts'
import { roundDecimals } from '../draw.ts'
import {
  createSuccessAnswer,
  defineNeeded,
  refuseTravelCall,
  readTextArgument,
  type TravelFunction,
  type WorldView,
} from '../function.ts'
import {
  type TravelHotel,
  findHotelById,
  computeStayPrice,
  type HotelRoom,
  countRoomsLeft,
} from './inventory.ts'
import { type AskedStay, readAskedStay, childrenParameter, guestParameters } from './stay.ts'

export const hotelParameter = defineNeeded(
  'hotel_id',
  'The hotel: `hotel_id` of Search_Hotels or Search_Hotels_By_Coordinates.',
)
export const noHotel = refuseTravelCall('no hotel has this hotel_id')

/** Rooms of a kind that can still be booked, those that this world's own bookings took left out. */
export const countAvailable = (
  { seed, bookings }: WorldView,
  room: HotelRoom,
  stay: { arrival: number; nights: number },
) => countRoomsLeft(seed, room, stay) - countBookedRooms(bookings, room.id, stay)

/** The price of a kind of room for all rooms and nights of a stay. */
export const computeRoomPrice = (
  seed: string,
  hotel: TravelHotel,
  room: HotelRoom,
  { arrival, nights, guests }: AskedStay,
) => roundDecimals(computeStayPrice(seed, hotel, { arrival, nights }, guests) * room.factor)

export const isRoomFitting = ({ sleeps }: HotelRoom, { adults, rooms, children }: AskedStay['guests']) =>
  sleeps * rooms >= adults + children.length

function listOffered(view: WorldView, hotel: TravelHotel, stay: AskedStay) {
  const rows = hotel.rooms.map((room) => ({
    left: countAvailable(view, room, stay),
    fits: isRoomFitting(room, stay.guests),
    summary: {
      room_id: room.id,
      name: room.name,
      max_occupancy: room.sleeps,
      refundable: room.refundable,
      breakfast_included: hotel.breakfast,
      product_price_breakdown: {
        currency: 'USD',
        gross_amount: computeRoomPrice(view.seed, hotel, room, stay),
        nights: stay.nights,
      },
    } satisfies JsonObject,
  }))
  return {
    open: rows.filter(({ left, fits }) => fits && left >= stay.guests.rooms),
    shut: rows.filter(({ left, fits }) => !fits || left < stay.guests.rooms),
  }
}

const roomParameters = [
  hotelParameter,
  defineNeeded('arrival_date', 'Day of check-in, as YYYY-MM-DD.'),
  defineNeeded('departure_date', 'Day of check-out, as YYYY-MM-DD.'),
  ...guestParameters,
  childrenParameter,
]

export const getRoomListWithAvailability: TravelFunction = {
  name: 'Get_Room_List_With_Availability',
  about:
    'Gives the rooms of a hotel for a stay: those that are available with price and number left, and those that are not.',
  parameters: roomParameters,
  entries: [{ at: ['available'], id: 'room_id' }],
  answer(view, args) {
    const hotel = findHotelById(view.seed, readTextArgument(args, 'hotel_id'))
    if (!hotel) return noHotel
    const stay = readAskedStay(args)
    if ('fault' in stay) return refuseTravelCall(stay.fault)
    const { open, shut } = listOffered(view, hotel, stay)
    return createSuccessAnswer({
      hotel_id: hotel.id,
      arrival_date: formatDay(stay.arrival),
      departure_date: formatDay(stay.arrival + stay.nights),
      available: open.map(({ summary, left }) => ({ ...summary, rooms_left: left })),
      unavailable: shut.map(({ summary }) => ({ room_id: summary.room_id, name: summary.name })),
    })
  },
}

export const getRoomList: TravelFunction = {
  name: 'Get_Room_List',
  about: 'Gives all kinds of rooms of a hotel with their prices for a stay, available or not.',
  parameters: roomParameters,
  entries: [{ at: ['rooms'], id: 'room_id' }],
  answer(view, args) {
    const hotel = findHotelById(view.seed, readTextArgument(args, 'hotel_id'))
    if (!hotel) return noHotel
    const stay = readAskedStay(args)
    if ('fault' in stay) return refuseTravelCall(stay.fault)
    const { open, shut } = listOffered(view, hotel, stay)
    return createSuccessAnswer({
      hotel_id: hotel.id,
      rooms: [...open, ...shut].map(({ summary }) => summary),
    })
  },
}

export const getRoomAvailability: TravelFunction = {
  name: 'Get_Room_Availability',
  about:
    'Gives the lowest price of a hotel for each night between two days; days that are full are left out.',
  parameters: [
    hotelParameter,
    defineNeeded('min_date', 'The first day, as YYYY-MM-DD.'),
    defineNeeded('max_date', 'The last day, as YYYY-MM-DD.'),
    ...guestParameters,
  ],
  answer(view, args) {
    const hotel = findHotelById(view.seed, readTextArgument(args, 'hotel_id'))
    if (!hotel) return noHotel
    const span = readStay(readTextArgument(args, 'min_date'), readTextArgument(args, 'max_date'), [
      'min_date',
      'max_date',
    ])
    if ('fault' in span) return refuseTravelCall(span.fault)
    const stay = readAskedStay(args, ['min_date', 'max_date'])
    if ('fault' in stay) return refuseTravelCall(stay.fault)
    const days = Array.from({ length: span.nights }, (_, at) => span.arrival + at)
    const nights = days.flatMap((arrival) => {
      const night = { ...stay, arrival, nights: 1 }
      const room = hotel.rooms.find(
        (one) => isRoomFitting(one, stay.guests) && countAvailable(view, one, night) >= stay.guests.rooms,
      )
      return room ? [{ [formatDay(arrival)]: computeRoomPrice(view.seed, hotel, room, night) }] : []
    })
    return createSuccessAnswer({ currency: 'USD', lengthsOfStay: days.length, avDates: nights })
  },
}
