/**
 * Functions that change the world. The published catalogue only searches, so these are additions of this
 * world: what a search found can be booked, bookings can be listed and cancelled. Rooms, seats and tickets
 * run out.
 */
import type { JsonObject } from '@stateeval/contracts'
import { dateOf, dayOf, minuteOf } from '../dates.ts'
import {
  type Answer,
  success,
  needs,
  number,
  refused,
  takes,
  text,
  type TravelFunction,
} from '../function.ts'
import { productOfSlug, slotsOf } from '../attractions/inventory.ts'
import { vehicleOf } from '../cars/inventory.ts'
import { noOffer, seatsLeft } from '../flights/functions.ts'
import { offerOf } from '../flights/offers.ts'
import { hotelOfId } from '../hotels/inventory.ts'
import { available, hotelParameter, noHotel, roomFits, roomPrice } from '../hotels/rooms.ts'
import { askedStay, childrenParameter, guestParameters } from '../hotels/stay.ts'
import { rideOf } from '../taxi/functions.ts'
import { type Booking, ticketsTaken } from './booking.ts'

const booked = (kind: Booking['kind'], details: JsonObject): Answer => ({
  ok: true,
  data: { status: 'confirmed', kind, details },
  change: { book: { kind, details } },
})

const bookHotelRoom: TravelFunction = {
  name: 'Book_Hotel_Room',
  about: 'Books rooms of a hotel for a stay. Gives the reference of the booking.',
  parameters: [
    hotelParameter,
    needs('room_id', 'The kind of room: `room_id` of Get_Room_List_With_Availability.'),
    needs('arrival_date', 'Day of check-in, as YYYY-MM-DD.'),
    needs('departure_date', 'Day of check-out, as YYYY-MM-DD.'),
    ...guestParameters,
    childrenParameter,
  ],
  answer(view, args) {
    const hotel = hotelOfId(view.seed, text(args, 'hotel_id'))
    if (!hotel) return noHotel
    const room = hotel.rooms.find(({ id }) => String(id) === text(args, 'room_id'))
    if (!room) return refused('the hotel has no room with this room_id')
    const stay = askedStay(args)
    if ('fault' in stay) return refused(stay.fault)
    const { arrival, nights, guests } = stay
    if (!roomFits(room, guests)) return refused('the rooms are too small for so many guests')
    if (available(view, room, stay) < guests.rooms) return refused('fewer of these rooms are available')
    return booked('hotel', {
      hotel_id: hotel.id,
      room_id: room.id,
      arrival,
      nights,
      arrival_date: dateOf(arrival),
      departure_date: dateOf(arrival + nights),
      adults: guests.adults,
      room_qty: guests.rooms,
      children: [...guests.children],
      price: { value: roomPrice(view.seed, hotel, room, stay), currency: 'USD' },
    })
  },
}

const bookFlight: TravelFunction = {
  name: 'Book_Flight',
  about: 'Books an offer of flights for all travellers of its search. Gives the reference of the booking.',
  parameters: [needs('token', 'The offer: `token` of Search_Flights or Search_Flights_Multi_Stops.')],
  answer(view, args) {
    const match = offerOf(view.seed, text(args, 'token'))
    if (!match) return noOffer('token')
    const { journey, offer } = match
    const seats = journey.adults + journey.children.length
    if (seatsLeft(view, offer) < seats) return refused('fewer seats are available')
    return booked('flight', {
      token: offer.token,
      seats,
      flights: offer.segments.map(({ flight, day }) => ({ flight, date: dateOf(day) })),
      price: { value: offer.price, currency: 'USD' },
    })
  },
}

const bookCar: TravelFunction = {
  name: 'Book_Car',
  about: 'Books a car of a search, with an insurance where one is named. Gives the reference of the booking.',
  parameters: [
    needs('vehicle_id', 'The car: `vehicle_id` of Search_Car_Rentals.'),
    needs('search_key', 'The search that found it: `search_key` of Search_Car_Rentals.'),
    takes('package_id', 'The insurance: `id` of Get_Packages; none by default.'),
  ],
  answer(view, args) {
    const rental = vehicleOf(view.seed, text(args, 'search_key'), text(args, 'vehicle_id'))
    if (!rental) return refused('no car has this vehicle_id and search_key, or the search has expired')
    const insurance = text(args, 'package_id')
    if (insurance && !['EXTRA_COVER', 'RC_FULL_PROTECTION'].includes(insurance))
      return refused('package_id must be an id of Get_Packages')
    const { search, vehicle } = rental
    const details: JsonObject = {
      vehicle_id: String(vehicle.id),
      pick_up: search.pickUp,
      drop_off: search.dropOff,
      package_id: insurance || null,
    }
    const same = view.bookings.some(
      (one) =>
        one.kind === 'car' &&
        one.status === 'confirmed' &&
        one.details['vehicle_id'] === details['vehicle_id'],
    )
    return same ? refused('this car is no longer available') : booked('car', details)
  },
}

const bookAttraction: TravelFunction = {
  name: 'Book_Attraction',
  about: 'Books tickets of an attraction for a day and an hour. Gives the reference of the booking.',
  parameters: [
    needs(
      'slug',
      'The attraction: `slug` of Search_Attractions, or `productSlug` of Search_Attraction_Location.',
    ),
    needs('date', 'The day, as YYYY-MM-DD.'),
    needs('time', 'The hour: `time` of Get_Availability, as HH:MM.'),
    takes('tickets', 'How many tickets; 1 by default.', 'number'),
  ],
  answer({ seed, bookings }, args) {
    const product = productOfSlug(seed, text(args, 'slug'))
    if (!product) return refused('no attraction has this slug')
    const [date, time, tickets] = [text(args, 'date'), text(args, 'time'), number(args, 'tickets', 1)]
    const day = dayOf(date)
    if (day === null) return refused('date must be a date as YYYY-MM-DD')
    if (!Number.isInteger(tickets) || tickets < 1) return refused('tickets must be a whole number from 1')
    const slot = slotsOf(seed, product, day).find(({ hour }) => hour * 60 === minuteOf(time))
    if (!slot) return refused('the attraction is not open at this hour on this day')
    if (slot.tickets - ticketsTaken(bookings, product.slug, date, time) < tickets)
      return refused('fewer tickets are available')
    return booked('attraction', { slug: product.slug, date, time, tickets })
  },
}

const bookTaxi: TravelFunction = {
  name: 'Book_Taxi',
  about: 'Books a taxi of a search. Gives the reference of the booking.',
  parameters: [needs('resultId', 'The ride: `resultId` of Search_Taxi.')],
  answer({ seed }, args) {
    const ride = rideOf(seed, text(args, 'resultId'))
    return ride
      ? booked('taxi', { ...ride })
      : refused('resultId does not identify a ride, or the ride has expired')
  },
}

const cancelBooking: TravelFunction = {
  name: 'Cancel_Booking',
  about: 'Cancels a booking.',
  parameters: [
    needs('reference', 'The booking: `reference` of the function that booked it, or of Get_Bookings.'),
  ],
  answer({ bookings }, args) {
    const reference = text(args, 'reference')
    const booking = bookings.find((one) => one.reference === reference)
    if (!booking) return refused('no booking has this reference')
    if (booking.status === 'cancelled') return refused('this booking has already been cancelled')
    return { ok: true, data: { reference, status: 'cancelled' }, change: { cancel: reference } }
  },
}

const getBookings: TravelFunction = {
  name: 'Get_Bookings',
  about: 'Gives all bookings with their references, oldest first.',
  parameters: [],
  entries: [{ at: [], id: 'reference' }],
  answer: ({ bookings }) =>
    success(bookings.map(({ reference, kind, status, details }) => ({ reference, kind, status, details }))),
}

export const bookingFunctions: readonly TravelFunction[] = [
  bookHotelRoom,
  bookFlight,
  bookCar,
  bookAttraction,
  bookTaxi,
  cancelBooking,
  getBookings,
]
