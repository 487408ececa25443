/** Functions about the rooms of a hotel: prices by day, rooms that are left. */
import type { JsonObject } from '@stateeval/contracts'
import { bookedRooms } from '../bookings/booking.ts'
import { dateOf, stayOf } from '../dates.ts'
import { round } from '../draw.ts'
import { success, needs, refused, text, type TravelFunction, type View } from '../function.ts'
import { type Hotel, hotelOfId, priceOf, type Room, roomsLeft } from './inventory.ts'
import { type Asked, askedStay, childrenParameter, guestParameters } from './stay.ts'

export const hotelParameter = needs(
  'hotel_id',
  'The hotel: `hotel_id` of Search_Hotels or Search_Hotels_By_Coordinates.',
)
export const noHotel = refused('no hotel has this hotel_id')

/** Rooms of a kind that can still be booked, those that this world's own bookings took left out. */
export const available = ({ seed, bookings }: View, room: Room, stay: { arrival: number; nights: number }) =>
  roomsLeft(seed, room, stay) - bookedRooms(bookings, room.id, stay)

/** The price of a kind of room for all rooms and nights of a stay. */
export const roomPrice = (seed: string, hotel: Hotel, room: Room, { arrival, nights, guests }: Asked) =>
  round(priceOf(seed, hotel, { arrival, nights }, guests) * room.factor)

export const roomFits = ({ sleeps }: Room, { adults, rooms, children }: Asked['guests']) =>
  sleeps * rooms >= adults + children.length

function offered(view: View, hotel: Hotel, stay: Asked) {
  const rows = hotel.rooms.map((room) => ({
    left: available(view, room, stay),
    fits: roomFits(room, stay.guests),
    summary: {
      room_id: room.id,
      name: room.name,
      max_occupancy: room.sleeps,
      refundable: room.refundable,
      breakfast_included: hotel.breakfast,
      product_price_breakdown: {
        currency: 'USD',
        gross_amount: roomPrice(view.seed, hotel, room, stay),
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
  needs('arrival_date', 'Day of check-in, as YYYY-MM-DD.'),
  needs('departure_date', 'Day of check-out, as YYYY-MM-DD.'),
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
    const hotel = hotelOfId(view.seed, text(args, 'hotel_id'))
    if (!hotel) return noHotel
    const stay = askedStay(args)
    if ('fault' in stay) return refused(stay.fault)
    const { open, shut } = offered(view, hotel, stay)
    return success({
      hotel_id: hotel.id,
      arrival_date: dateOf(stay.arrival),
      departure_date: dateOf(stay.arrival + stay.nights),
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
    const hotel = hotelOfId(view.seed, text(args, 'hotel_id'))
    if (!hotel) return noHotel
    const stay = askedStay(args)
    if ('fault' in stay) return refused(stay.fault)
    const { open, shut } = offered(view, hotel, stay)
    return success({ hotel_id: hotel.id, rooms: [...open, ...shut].map(({ summary }) => summary) })
  },
}

export const getRoomAvailability: TravelFunction = {
  name: 'Get_Room_Availability',
  about:
    'Gives the lowest price of a hotel for each night between two days; days that are full are left out.',
  parameters: [
    hotelParameter,
    needs('min_date', 'The first day, as YYYY-MM-DD.'),
    needs('max_date', 'The last day, as YYYY-MM-DD.'),
    ...guestParameters,
  ],
  answer(view, args) {
    const hotel = hotelOfId(view.seed, text(args, 'hotel_id'))
    if (!hotel) return noHotel
    const span = stayOf(text(args, 'min_date'), text(args, 'max_date'), ['min_date', 'max_date'])
    if ('fault' in span) return refused(span.fault)
    const stay = askedStay(args, ['min_date', 'max_date'])
    if ('fault' in stay) return refused(stay.fault)
    const days = Array.from({ length: span.nights }, (_, at) => span.arrival + at)
    const nights = days.flatMap((arrival) => {
      const night = { ...stay, arrival, nights: 1 }
      const room = hotel.rooms.find(
        (one) => roomFits(one, stay.guests) && available(view, one, night) >= stay.guests.rooms,
      )
      return room ? [{ [dateOf(arrival)]: roomPrice(view.seed, hotel, room, night) }] : []
    })
    return success({ currency: 'USD', lengthsOfStay: days.length, avDates: nights })
  },
}
