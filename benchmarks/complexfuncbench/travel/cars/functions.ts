/** Functions about rental cars: locations, searches, and what is known of one car of a search. */
import type { JsonValue } from '@stateeval/contracts'
import { formatDay, parseDay, parseMinute, formatTime, getWeekday } from '../dates.ts'
import { createLabelRng, roundDecimals } from '../draw.ts'
import {
  type FunctionArguments,
  createSuccessAnswer,
  defineNeeded,
  refuseTravelCall,
  readTextArgument,
  type TravelFunction,
} from '../function.ts'
import { findPlaces } from '../geography/places.ts'
import { findPointFault } from '../hotels/search.ts'
import {
  type CarSearch,
  countRentalDays,
  findNearestPlace,
  searchKey,
  type RentalVehicle,
  listVehicles,
} from './inventory.ts'
import { vehicleSupplierDetails, vehicleSupplierRatings, vehicleSupplierReview } from './suppliers.ts'
import { defineVehicleFunction, describeRating } from './vehicle.ts'

const searchCarLocation: TravelFunction = {
  name: 'Search_Car_Location',
  about: 'Finds places where cars are rented, by name. Gives the coordinates that a search of cars needs.',
  parameters: [defineNeeded('query', 'Name of a city, an airport, a district, a landmark or a country.')],
  entries: [{ at: [], id: 'name' }],
  answer: (_, args) =>
    createSuccessAnswer(
      findPlaces(readTextArgument(args, 'query'), ['city', 'airport', 'landmark'])
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

const defineCarSide = (which: 'pick_up' | 'drop_off', says: string) => [
  defineNeeded(
    `${which}_latitude`,
    `Latitude of the place of ${says}: \`latitude\` in \`coordinates\` of Search_Car_Location.`,
  ),
  defineNeeded(
    `${which}_longitude`,
    `Longitude of the place of ${says}: \`longitude\` in \`coordinates\` of Search_Car_Location.`,
  ),
  defineNeeded(`${which}_date`, `Day of ${says}, as YYYY-MM-DD.`),
  defineNeeded(`${which}_time`, `Time of ${says}, as HH:MM with 24 hours.`),
]

function readPoint(
  args: FunctionArguments,
  which: 'pick_up' | 'drop_off',
): CarSearch['pickUp'] | { fault: string } {
  const latitude = Number(readTextArgument(args, `${which}_latitude`))
  const longitude = Number(readTextArgument(args, `${which}_longitude`))
  const fault = findPointFault({ latitude, longitude })
  if (fault) return { fault: `${which}_${fault}` }
  const day = parseDay(readTextArgument(args, `${which}_date`))
  if (day === null) return { fault: `${which}_date must be a date as YYYY-MM-DD` }
  const minute = parseMinute(readTextArgument(args, `${which}_time`))
  if (minute === null) return { fault: `${which}_time must be a time as HH:MM` }
  return { latitude, longitude, at: day * 1440 + minute }
}

const describeVehicle = (vehicle: RentalVehicle): { [key: string]: JsonValue } => ({
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
  parameters: [...defineCarSide('pick_up', 'pick-up'), ...defineCarSide('drop_off', 'return')],
  entries: [{ at: ['search_results'], id: 'vehicle_id' }],
  answer({ seed }, args) {
    const [pickUp, dropOff] = [readPoint(args, 'pick_up'), readPoint(args, 'drop_off')]
    if ('fault' in pickUp) return refuseTravelCall(pickUp.fault)
    if ('fault' in dropOff) return refuseTravelCall(dropOff.fault)
    if (dropOff.at <= pickUp.at) return refuseTravelCall('the return must be after the pick-up')
    const search = { pickUp, dropOff }
    const vehicles = listVehicles(seed, search)
    const place = ({ latitude, longitude }: CarSearch['pickUp']): JsonValue => ({
      name: findNearestPlace({ latitude, longitude }).name,
      latitude,
      longitude,
    })
    const route_info = { pickup: place(pickUp), dropoff: place(dropOff) }
    return createSuccessAnswer({
      title: 'Car rentals',
      search_key: searchKey(seed, search),
      count: vehicles.length,
      search_results: vehicles.map((vehicle) => ({
        vehicle_id: String(vehicle.id),
        vehicle_info: describeVehicle(vehicle),
        supplier_info: {
          name: vehicle.supplier,
          location_type: vehicle.airport ? 'AIRPORT' : 'DOWNTOWN',
          rating: describeRating(vehicle),
        },
        pricing_info: { price: vehicle.price, currency: 'USD', drive_away_price: vehicle.price },
        route_info,
      })),
    })
  },
}

const formatMoney = (amount: number) => `US$${amount.toFixed(2)}`
const formatWeekdayTime = (at: number) =>
  `${getWeekday(Math.floor(at / 1440))}, ${formatDay(Math.floor(at / 1440))} · ${formatTime(((at % 1440) + 1440) % 1440)}`

const vehicleDetails = defineVehicleFunction(
  'Vehicle_Details',
  'Gives the details of a car: specification, extras, fees, the supplier’s score.',
  ({ seed, search, vehicle }) => {
    const rng = createLabelRng(seed, 'extras', vehicle.id)
    const extra = (id: string, name: string) => ({
      id,
      name,
      price: {
        perRental: { value: roundDecimals(rng.int(5, 18) * countRentalDays(search)), currency: 'USD' },
      },
      maxQuantityAvailable: rng.int(1, 3),
    })
    return {
      vehicle: {
        makeAndModel: vehicle.model,
        carClass: vehicle.group,
        specification: { ...describeVehicle(vehicle), airConditioning: true },
        fees: { deposit: { amount: vehicle.deposit, currency: 'USD' } },
      },
      extras: [
        extra('ADDITIONAL_DRIVER', 'Additional driver'),
        extra('CHILD_SEAT', 'Child toddler seat'),
        extra('GPS', 'GPS'),
      ],
      content: { carCard: { supplier: { name: vehicle.supplier, rating: describeRating(vehicle) } } },
      price: { amount: vehicle.price, currency: 'USD' },
    }
  },
)

const bookingSummary = defineVehicleFunction(
  'Booking_Summary',
  'Gives what would be booked: car, places, times, and the parts of the price.',
  ({ search, vehicle }) => ({
    title: 'Booking summary',
    product: {
      vehicle: { title: vehicle.model, subtitle: 'or similar' },
      supplier: { name: vehicle.supplier },
      duration: `${countRentalDays(search)} days`,
      pickUp: { name: findNearestPlace(search.pickUp).name, dateTime: formatWeekdayTime(search.pickUp.at) },
      dropOff: {
        name: findNearestPlace(search.dropOff).name,
        dateTime: formatWeekdayTime(search.dropOff.at),
      },
    },
    priceBreakdown: {
      sections: [{ items: [{ title: 'Car rental price', price: formatMoney(vehicle.price) }] }],
      total: { title: 'Total rental price', primaryPrice: { price: formatMoney(vehicle.price) } },
    },
  }),
)

const getPackages = defineVehicleFunction(
  'Get_Packages',
  'Gives the insurances that can be added to the rental of a car, with what they cover and cost.',
  ({ seed, search, vehicle }) => {
    const daily = createLabelRng(seed, 'insurance', vehicle.id).int(6, 16)
    const offer = (id: string, name: string, factor: number) => ({
      id,
      type: 'insurance',
      metadata: {
        name,
        displayPrice: {
          amount: roundDecimals(daily * factor * countRentalDays(search)),
          currency: 'USD',
          prePayable: true,
        },
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
