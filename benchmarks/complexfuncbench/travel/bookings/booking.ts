/** Bookings: what changes in the world. Each holds what was booked, so that rooms and seats run out. */
import type { JsonObject } from '@stateeval/contracts'

export interface TravelBooking {
  /** The world's name for it. */
  reference: string
  kind: 'hotel' | 'flight' | 'car' | 'attraction' | 'taxi'
  status: 'confirmed' | 'cancelled'
  /** Details of the booking, in the terms of the function that booked it. */
  details: JsonObject
}

export type BookingChange =
  | { book: Pick<TravelBooking, 'kind' | 'details'> }
  | { cancel: TravelBooking['reference'] }

const selectConfirmedKind = (bookings: readonly TravelBooking[], kind: TravelBooking['kind']) =>
  bookings.filter((booking) => booking.kind === kind && booking.status === 'confirmed')

/** Rooms of a kind that bookings take on any night of a stay. */
export function countBookedRooms(
  bookings: readonly TravelBooking[],
  room: number,
  { arrival, nights }: { arrival: number; nights: number },
): number {
  return selectConfirmedKind(bookings, 'hotel')
    .map(({ details }) => details as { room_id: number; arrival: number; nights: number; room_qty: number })
    .filter(
      (one) => one.room_id === room && one.arrival < arrival + nights && arrival < one.arrival + one.nights,
    )
    .reduce((sum, one) => sum + one.room_qty, 0)
}

/** Seats that bookings take of an offer. */
export const countTakenSeats = (bookings: readonly TravelBooking[], token: string): number =>
  selectConfirmedKind(bookings, 'flight')
    .filter(({ details }) => details['token'] === token)
    .reduce((sum, { details }) => sum + Number(details['seats']), 0)

/** Tickets that bookings take of a time slot. */
export const countTakenTickets = (
  bookings: readonly TravelBooking[],
  slug: string,
  date: string,
  time: string,
): number =>
  selectConfirmedKind(bookings, 'attraction')
    .filter(({ details }) => details['slug'] === slug && details['date'] === date && details['time'] === time)
    .reduce((sum, { details }) => sum + Number(details['tickets']), 0)
