/** Functions about the supplier of a car: scores, offices, reviews. */
import type { JsonValue } from '@stateeval/contracts'
import { formatDay, formatTime } from '../dates.ts'
import { createLabelRng, roundDecimals } from '../draw.ts'
import { findNearestPlace, type RentalVehicle } from './inventory.ts'
import { defineVehicleFunction, describeRating } from './vehicle.ts'

const topics = ['Value for money', 'Cleanliness', 'Efficiency', 'Helpfulness', 'Pick-up time']
function breakDownScore(seed: string, { supplier, score, id }: RentalVehicle): JsonValue {
  const rng = createLabelRng(seed, 'breakdown', supplier, id)
  return topics.map((title) => {
    const value = roundDecimals(Math.min(10, Math.max(1, score + rng.int(-12, 12) / 10)), 1)
    return {
      title,
      score: value.toFixed(1),
      localisedRating: { rawValue: value, displayValue: value.toFixed(1) },
    }
  })
}

export const vehicleSupplierRatings = defineVehicleFunction(
  'Vehicle_Supplier_Ratings',
  'Gives the scores of the supplier of a car, overall and by what is scored.',
  ({ seed, vehicle }) => ({
    title: 'Rental company',
    name: vehicle.supplier,
    rating: { ...describeRating(vehicle), breakdown: breakDownScore(seed, vehicle) },
  }),
)

export const vehicleSupplierDetails = defineVehicleFunction(
  'Vehicle_Supplier_Details',
  'Gives where the supplier of a car is, when it is open, and how to find it.',
  ({ seed, search, vehicle }) => {
    const rng = createLabelRng(seed, 'office', vehicle.id)
    const hours = `${formatTime(rng.int(5, 8) * 60)} - ${formatTime(rng.int(20, 23) * 60)}`
    return {
      details: {
        supplier: { title: 'Rental company', name: vehicle.supplier, rating: describeRating(vehicle) },
        openingTimes: {
          title: 'Opening times',
          pickUp: { hours, subtitle: `${vehicle.supplier}, ${findNearestPlace(search.pickUp).name}` },
          dropOff: { hours, subtitle: `${vehicle.supplier}, ${findNearestPlace(search.dropOff).name}` },
        },
        location: { address: `${rng.int(1, 99)} Station Road, ${findNearestPlace(search.pickUp).city.name}` },
        instructions: {
          pickUp: vehicle.airport
            ? 'The counter is in the arrivals hall.'
            : 'The office is on the ground floor.',
        },
      },
    }
  },
)

const opinions = [
  ['The car was new and clean.', 'The queue was long.'],
  ['Quick pick-up.', 'The deposit was high.'],
  ['Very friendly staff.', 'The office is hard to find.'],
  ['Good price.', 'The tank was not full.'],
] as const

export const vehicleSupplierReview = defineVehicleFunction(
  'Vehicle_Supplier_Review',
  'Gives reviews of the supplier of a car by its customers.',
  ({ seed, vehicle }) => {
    const rng = createLabelRng(seed, 'car-reviews', vehicle.id)
    const reviews = opinions.map(([positive, negative]) => ({
      positive,
      negative,
      rating: roundDecimals(Math.min(10, Math.max(1, vehicle.score + rng.int(-20, 15) / 10)), 1).toFixed(1),
      date: formatDay(20_028 - rng.int(1, 200)),
      type: rng.pick(['Couple', 'Family', 'Solo traveller', 'Business']),
    }))
    return {
      supplier: { name: vehicle.supplier, rating: describeRating(vehicle) },
      customerReviews: { title: 'Customer reviews', reviews },
    }
  },
)
