/**
 * Functions that change the world. The published catalogue only searches, so these are additions of this
 * world: what a search found can be booked, bookings can be listed and cancelled. Rooms, seats and tickets
 * run out.
 */
import type { JsonObject } from '@stateeval/contracts'
import { formatDay, parseDay, parseMinute } from '../dates.ts'
import {
  type FunctionAnswer,
  createSuccessAnswer,
  defineNeeded,
  readNumberArgument,
  refuseTravelCall,
  defineTaken,
  readTextArgument,
  type TravelFunction,
} from '../function.ts'
import { findProductBySlug, listProductSlots } from '../attractions/inventory.ts'
import { findVehicle } from '../cars/inventory.ts'
import { refuseNoOffer, countSeatsLeft } from '../flights/functions.ts'
import { findFlightOffer } from '../flights/offers.ts'
import { findHotelById } from '../hotels/inventory.ts'
import { countAvailable, hotelParameter, noHotel, isRoomFitting, computeRoomPrice } from '../hotels/rooms.ts'
import { readAskedStay, childrenParameter, guestParameters } from '../hotels/stay.ts'
import { findRide } from '../taxi/functions.ts'
import { type TravelBooking, countTakenTickets } from './booking.ts'

const createBookingAnswer = (kind: TravelBooking['kind'], details: JsonObject): FunctionAnswer => ({
  ok: true,
  data: { status: 'confirmed', kind, details },
  change: { book: { kind, details } },
})

const bookHotelRoom: TravelFunction = {
  name: 'Book_Hotel_Room',
  about: 'Books rooms of a hotel for a stay. Gives the reference of the booking.',
  parameters: [
    hotelParameter,
    defineNeeded('room_id', 'The kind of room: `room_id` of Get_Room_List_With_Availability.'),
    defineNeeded('arrival_date', 'Day of check-in, as YYYY-MM-DD.'),
    defineNeeded('departure_date', 'Day of check-out, as YYYY-MM-DD.'),
    ...guestParameters,
    childrenParameter,
  ],
  answer(view, args) {
    const hotel = findHotelById(view.seed, readTextArgument(args, 'hotel_id'))
    if (!hotel) return noHotel
    const room = hotel.rooms.find(({ id }) => String(id) === readTextArgument(args, 'room_id'))
    if (!room) return refuseTravelCall('the hotel has no room with this room_id')
    const stay = readAskedStay(args)
    if ('fault' in stay) return refuseTravelCall(stay.fault)
    const { arrival, nights, guests } = stay
    if (!isRoomFitting(room, guests)) return refuseTravelCall('the rooms are too small for so many guests')
    if (countAvailable(view, room, stay) < guests.rooms)
      return refuseTravelCall('fewer of these rooms are available')
    return createBookingAnswer('hotel', {
      hotel_id: hotel.id,
      room_id: room.id,
      arrival,
      nights,
      arrival_date: formatDay(arrival),
      departure_date: formatDay(arrival + nights),
      adults: guests.adults,
      room_qty: guests.rooms,
      children: [...guests.children],
      price: { value: computeRoomPrice(view.seed, hotel, room, stay), currency: 'USD' },
    })
  },
}

const bookFlight: TravelFunction = {
  name: 'Book_Flight',
  about: 'Books an offer of flights for all travellers of its search. Gives the reference of the booking.',
  parameters: [defineNeeded('token', 'The offer: `token` of Search_Flights or Search_Flights_Multi_Stops.')],
  answer(view, args) {
    const match = findFlightOffer(view.seed, readTextArgument(args, 'token'))
    if (!match) return refuseNoOffer('token')
    const { journey, offer } = match
    const seats = journey.adults + journey.children.length
    if (countSeatsLeft(view, offer) < seats) return refuseTravelCall('fewer seats are available')
    return createBookingAnswer('flight', {
      token: offer.token,
      seats,
      flights: offer.segments.map(({ flight, day }) => ({ flight, date: formatDay(day) })),
      price: { value: offer.price, currency: 'USD' },
    })
  },
}

const bookCar: TravelFunction = {
  name: 'Book_Car',
  about: 'Books a car of a search, with an insurance where one is named. Gives the reference of the booking.',
  parameters: [
    defineNeeded('vehicle_id', 'The car: `vehicle_id` of Search_Car_Rentals.'),
    defineNeeded('search_key', 'The search that found it: `search_key` of Search_Car_Rentals.'),
    defineTaken('package_id', 'The insurance: `id` of Get_Packages; none by default.'),
  ],
  answer(view, args) {
    const rental = findVehicle(
      view.seed,
      readTextArgument(args, 'search_key'),
      readTextArgument(args, 'vehicle_id'),
    )
    if (!rental)
      return refuseTravelCall('no car has this vehicle_id and search_key, or the search has expired')
    const insurance = readTextArgument(args, 'package_id')
    if (insurance && !['EXTRA_COVER', 'RC_FULL_PROTECTION'].includes(insurance))
      return refuseTravelCall('package_id must be an id of Get_Packages')
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
    return same ? refuseTravelCall('this car is no longer available') : createBookingAnswer('car', details)
  },
}

const bookAttraction: TravelFunction = {
  name: 'Book_Attraction',
  about: 'Books tickets of an attraction for a day and an hour. Gives the reference of the booking.',
  parameters: [
    defineNeeded(
      'slug',
      'The attraction: `slug` of Search_Attractions, or `productSlug` of Search_Attraction_Location.',
    ),
    defineNeeded('date', 'The day, as YYYY-MM-DD.'),
    defineNeeded('time', 'The hour: `time` of Get_Availability, as HH:MM.'),
    defineTaken('tickets', 'How many tickets; 1 by default.', 'number'),
  ],
  answer({ seed, bookings }, args) {
    const product = findProductBySlug(seed, readTextArgument(args, 'slug'))
    if (!product) return refuseTravelCall('no attraction has this slug')
    const [date, time, tickets] = [
      readTextArgument(args, 'date'),
      readTextArgument(args, 'time'),
      readNumberArgument(args, 'tickets', 1),
    ]
    const day = parseDay(date)
    if (day === null) return refuseTravelCall('date must be a date as YYYY-MM-DD')
    if (!Number.isInteger(tickets) || tickets < 1)
      return refuseTravelCall('tickets must be a whole number from 1')
    const slot = listProductSlots(seed, product, day).find(({ hour }) => hour * 60 === parseMinute(time))
    if (!slot) return refuseTravelCall('the attraction is not open at this hour on this day')
    if (slot.tickets - countTakenTickets(bookings, product.slug, date, time) < tickets)
      return refuseTravelCall('fewer tickets are available')
    return createBookingAnswer('attraction', { slug: product.slug, date, time, tickets })
  },
}

const bookTaxi: TravelFunction = {
  name: 'Book_Taxi',
  about: 'Books a taxi of a search. Gives the reference of the booking.',
  parameters: [defineNeeded('resultId', 'The ride: `resultId` of Search_Taxi.')],
  answer({ seed }, args) {
    const ride = findRide(seed, readTextArgument(args, 'resultId'))
    return ride
      ? createBookingAnswer('taxi', { ...ride })
      : refuseTravelCall('resultId does not identify a ride, or the ride has expired')
  },
}

const cancelBooking: TravelFunction = {
  name: 'Cancel_Booking',
  about: 'Cancels a booking.',
  parameters: [
    defineNeeded('reference', 'The booking: `reference` of the function that booked it, or of Get_Bookings.'),
  ],
  answer({ bookings }, args) {
    const reference = readTextArgument(args, 'reference')
    const booking = bookings.find((one) => one.reference === reference)
    if (!booking) return refuseTravelCall('no booking has this reference')
    if (booking.status === 'cancelled') return refuseTravelCall('this booking has already been cancelled')
    return { ok: true, data: { reference, status: 'cancelled' }, change: { cancel: reference } }
  },
}

const getBookings: TravelFunction = {
  name: 'Get_Bookings',
  about: 'Gives all bookings with their references, oldest first.',
  parameters: [],
  entries: [{ at: [], id: 'reference' }],
  answer: ({ bookings }) =>
    createSuccessAnswer(
      bookings.map(({ reference, kind, status, details }) => ({ reference, kind, status, details })),
    ),
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
