/** Functions about rental cars: locations, searches, and what is known of one car of a search. */
import type { JsonValue } from '@stateeval/contracts'
import { dateOf, dayOf, minuteOf, timeOf, weekday } from '../dates.ts'
import { rngOf, round } from '../draw.ts'
import { type Arguments, success, needs, refused, text, type TravelFunction } from '../function.ts'
import { findPlaces } from '../geography/places.ts'
import { pointFault } from '../hotels/search.ts'
import { type CarSearch, daysOf, nearestPlace, searchKey, type Vehicle, vehiclesOf } from './inventory.ts'
import { vehicleSupplierDetails, vehicleSupplierRatings, vehicleSupplierReview } from './suppliers.ts'
import { ofVehicle, rating } from './vehicle.ts'

const searchCarLocation: TravelFunction = {
  name: 'Search_Car_Location',
  about: 'Finds places where cars are rented, by name. Gives the coordinates that a search of cars needs.',
  parameters: [needs('query', 'Name of a city, an airport, a district, a landmark or a country.')],
  entries: [{ at: [], id: 'name' }],
  answer: (_, args) =>
    success(
      findPlaces(text(args, 'query'), ['city', 'airport', 'landmark'])
        .slice(0, 6)
        .map(({ type, name, city, latitude, longitude }) => ({
          name,
          city: city.name,
          country: city.country,
          type,
          coordinates: { latitude, longitude },
        })),
    ),
}

const side = (which: 'pick_up' | 'drop_off', says: string) => [
  needs(
    `${which}_latitude`,
    `Latitude of the place of ${says}: \`latitude\` in \`coordinates\` of Search_Car_Location.`,
  ),
  needs(
    `${which}_longitude`,
    `Longitude of the place of ${says}: \`longitude\` in \`coordinates\` of Search_Car_Location.`,
  ),
  needs(`${which}_date`, `Day of ${says}, as YYYY-MM-DD.`),
  needs(`${which}_time`, `Time of ${says}, as HH:MM with 24 hours.`),
]

function pointOf(args: Arguments, which: 'pick_up' | 'drop_off'): CarSearch['pickUp'] | { fault: string } {
  const latitude = Number(text(args, `${which}_latitude`))
  const longitude = Number(text(args, `${which}_longitude`))
  const fault = pointFault({ latitude, longitude })
  if (fault) return { fault: `${which}_${fault}` }
  const day = dayOf(text(args, `${which}_date`))
  if (day === null) return { fault: `${which}_date must be a date as YYYY-MM-DD` }
  const minute = minuteOf(text(args, `${which}_time`))
  if (minute === null) return { fault: `${which}_time must be a time as HH:MM` }
  return { latitude, longitude, at: day * 1440 + minute }
}

const card = (vehicle: Vehicle): { [key: string]: JsonValue } => ({
  v_name: vehicle.model,
  group: vehicle.group,
  transmission: vehicle.automatic ? 'Automatic' : 'Manual',
  seats: String(vehicle.seats),
  suitcases: { big: String(vehicle.bags) },
  mileage: 'Unlimited mileage',
  free_cancellation: vehicle.freeCancellation ? 1 : 0,
})

const searchCarRentals: TravelFunction = {
  name: 'Search_Car_Rentals',
  about:
    'Finds cars for a rental between two places and times, with prices and suppliers. `search_key` and `vehicle_id` name a car in later calls.',
  parameters: [...side('pick_up', 'pick-up'), ...side('drop_off', 'return')],
  entries: [{ at: ['search_results'], id: 'vehicle_id' }],
  answer({ seed }, args) {
    const [pickUp, dropOff] = [pointOf(args, 'pick_up'), pointOf(args, 'drop_off')]
    if ('fault' in pickUp) return refused(pickUp.fault)
    if ('fault' in dropOff) return refused(dropOff.fault)
    if (dropOff.at <= pickUp.at) return refused('the return must be after the pick-up')
    const search = { pickUp, dropOff }
    const vehicles = vehiclesOf(seed, search)
    const place = ({ latitude, longitude }: CarSearch['pickUp']): JsonValue => ({
      name: nearestPlace({ latitude, longitude }).name,
      latitude,
      longitude,
    })
    const route_info = { pickup: place(pickUp), dropoff: place(dropOff) }
    return success({
      title: 'Car rentals',
      search_key: searchKey(seed, search),
      count: vehicles.length,
      search_results: vehicles.map((vehicle) => ({
        vehicle_id: String(vehicle.id),
        vehicle_info: card(vehicle),
        supplier_info: {
          name: vehicle.supplier,
          location_type: vehicle.airport ? 'AIRPORT' : 'DOWNTOWN',
          rating: rating(vehicle),
        },
        pricing_info: { price: vehicle.price, currency: 'USD', drive_away_price: vehicle.price },
        route_info,
      })),
    })
  },
}

const money = (amount: number) => `US$${amount.toFixed(2)}`
const moment = (at: number) =>
  `${weekday(Math.floor(at / 1440))}, ${dateOf(Math.floor(at / 1440))} · ${timeOf(((at % 1440) + 1440) % 1440)}`

const vehicleDetails = ofVehicle(
  'Vehicle_Details',
  'Gives the details of a car: specification, extras, fees, the supplier’s score.',
  ({ seed, search, vehicle }) => {
    const rng = rngOf(seed, 'extras', vehicle.id)
    const extra = (id: string, name: string) => ({
      id,
      name,
      price: { perRental: { value: round(rng.int(5, 18) * daysOf(search)), currency: 'USD' } },
      maxQuantityAvailable: rng.int(1, 3),
    })
    return {
      vehicle: {
        makeAndModel: vehicle.model,
        carClass: vehicle.group,
        specification: { ...card(vehicle), airConditioning: true },
        fees: { deposit: { amount: vehicle.deposit, currency: 'USD' } },
      },
      extras: [
        extra('ADDITIONAL_DRIVER', 'Additional driver'),
        extra('CHILD_SEAT', 'Child toddler seat'),
        extra('GPS', 'GPS'),
      ],
      content: { carCard: { supplier: { name: vehicle.supplier, rating: rating(vehicle) } } },
      price: { amount: vehicle.price, currency: 'USD' },
    }
  },
)

const bookingSummary = ofVehicle(
  'Booking_Summary',
  'Gives what would be booked: car, places, times, and the parts of the price.',
  ({ search, vehicle }) => ({
    title: 'Booking summary',
    product: {
      vehicle: { title: vehicle.model, subtitle: 'or similar' },
      supplier: { name: vehicle.supplier },
      duration: `${daysOf(search)} days`,
      pickUp: { name: nearestPlace(search.pickUp).name, dateTime: moment(search.pickUp.at) },
      dropOff: { name: nearestPlace(search.dropOff).name, dateTime: moment(search.dropOff.at) },
    },
    priceBreakdown: {
      sections: [{ items: [{ title: 'Car rental price', price: money(vehicle.price) }] }],
      total: { title: 'Total rental price', primaryPrice: { price: money(vehicle.price) } },
    },
  }),
)

const getPackages = ofVehicle(
  'Get_Packages',
  'Gives the insurances that can be added to the rental of a car, with what they cover and cost.',
  ({ seed, search, vehicle }) => {
    const daily = rngOf(seed, 'insurance', vehicle.id).int(6, 16)
    const offer = (id: string, name: string, factor: number) => ({
      id,
      type: 'insurance',
      metadata: {
        name,
        displayPrice: { amount: round(daily * factor * daysOf(search)), currency: 'USD', prePayable: true },
      },
    })
    return [offer('EXTRA_COVER', 'Extra Cover', 0.5), offer('RC_FULL_PROTECTION', 'Full Protection', 1)]
  },
)

export const carFunctions: readonly TravelFunction[] = [
  searchCarLocation,
  searchCarRentals,
  vehicleDetails,
  bookingSummary,
  getPackages,
  vehicleSupplierRatings,
  vehicleSupplierDetails,
  vehicleSupplierReview,
]
