/** Templates about rental cars. */
import { call, entry, once, slot, slots, type ValueSource, type SampleTemplate } from '../template.ts'

const rental = {
  out: { kind: 'date' },
  back: { kind: 'date', after: 'out', days: [1, 10] },
  outAt: { kind: 'time' },
  backAt: { kind: 'time' },
} as const
const coordinates = (which: 'pick_up' | 'drop_off', of: string) => ({
  [`${which}_latitude`]: entry(of, '', 'coordinates.latitude'),
  [`${which}_longitude`]: entry(of, '', 'coordinates.longitude'),
})
const search = (from: string, to: string) =>
  call('cars', 'Search_Car_Rentals', {
    ...coordinates('pick_up', from),
    pick_up_date: slot('out'),
    pick_up_time: slot('outAt'),
    ...coordinates('drop_off', to),
    drop_off_date: slot('back'),
    drop_off_time: slot('backAt'),
  })
const ofSupplier = { where: { 'supplier_info.name': { slot: 'supplier' } } } as const
const cheapest = { by: ['least', 'pricing_info.price'] } as const
const car = (choice: typeof ofSupplier | typeof cheapest): Record<string, ValueSource> => ({
  vehicle_id: entry('cars', 'search_results', 'vehicle_id', choice),
  search_key: once('cars', 'search_key'),
})

export const carTemplates: readonly SampleTemplate[] = [
  {
    id: 'Car-Rental-1',
    domain: 'Car-Rental',
    query:
      'I will pick up a car at {airport} in {city} on {out} at {outAt}, and return it at {landmark} on {back} at {backAt}. It should be a car of {supplier}. What are its details, and what would insurance cost?',
    slots: {
      city: { kind: 'city' },
      airport: { kind: 'airport', of: 'city' },
      landmark: { kind: 'landmark', of: 'city' },
      supplier: { kind: 'supplier' },
      ...rental,
    },
    values: {
      city: 'San Diego',
      airport: 'San Diego International Airport',
      landmark: 'Balboa Park',
      supplier: 'Hertz',
      out: '2024-11-20',
      back: '2024-11-25',
      outAt: '10:00',
      backAt: '18:00',
    },
    turns: [
      [
        call('from', 'Search_Car_Location', { query: slot('airport') }),
        call('to', 'Search_Car_Location', { query: slots('landmark', 'city') }),
      ],
      [search('from', 'to')],
      [
        call('details', 'Vehicle_Details', car(ofSupplier)),
        call('packages', 'Get_Packages', car(ofSupplier)),
      ],
    ],
    answer: 'The car of {supplier} is a {model} for {price} US dollars. {cover} costs {cost} US dollars.',
    tells: {
      model: once('details', 'vehicle.makeAndModel'),
      price: once('details', 'price.amount'),
      cover: entry('packages', '', 'metadata.name'),
      cost: entry('packages', '', 'metadata.displayPrice.amount'),
    },
  },
  {
    id: 'Car-Rental-2',
    domain: 'Car-Rental',
    query:
      'For our trip to {city} we want the cheapest car at {airport}, from {out}, {outAt}, to {back}, {backAt}; we bring it back to the same place. Summarise the booking, and tell me how customers score and describe the supplier.',
    slots: {
      city: { kind: 'city' },
      airport: { kind: 'airport', of: 'city' },
      ...rental,
      outAt: { kind: 'time', format: 'AM and PM' },
      backAt: { kind: 'time', format: 'AM and PM' },
    },
    values: {
      city: 'Toronto',
      airport: 'Toronto Pearson International Airport',
      out: '2024-12-05',
      back: '2024-12-08',
      outAt: '09:00',
      backAt: '17:30',
    },
    turns: [
      [call('from', 'Search_Car_Location', { query: slot('airport') })],
      [search('from', 'from')],
      [
        call('summary', 'Booking_Summary', car(cheapest)),
        call('ratings', 'Vehicle_Supplier_Ratings', car(cheapest)),
        call('reviews', 'Vehicle_Supplier_Review', car(cheapest)),
      ],
    ],
    answer:
      'The cheapest car is a {model} of {supplier}, for {total}. Customers give the supplier {score} points; one says: {says}',
    tells: {
      model: once('summary', 'product.vehicle.title'),
      supplier: once('summary', 'product.supplier.name'),
      total: once('summary', 'priceBreakdown.total.primaryPrice.price'),
      score: once('ratings', 'rating.average'),
      says: entry('reviews', 'customerReviews.reviews', 'positive'),
    },
  },
]
