/** Conversations of the domain Car Rental. */
import { call, type SampleConversation } from './write.ts'

const searchCarPlace = (query: string, latitude: number, longitude: number) =>
  call('Search_Car_Location', { query }, [{ name: query, coordinates: { latitude, longitude } }])

const faro = { pick_up_latitude: '37.0144', pick_up_longitude: '-7.9659' }
const rental = {
  ...faro,
  pick_up_date: '2024-11-08',
  pick_up_time: '10:00',
  drop_off_latitude: '37.0144',
  drop_off_longitude: '-7.9659',
  drop_off_date: '2024-11-12',
  drop_off_time: '18:30',
}
const search_key = 'eyJkcml2ZXJzQWdlIjozMCwiZHJvcE9mZkRhdGUiOiIyMDI0LTExLTEyIn0='

export const cars: readonly SampleConversation[] = [
  {
    id: 'Car-Rental-0',
    query:
      'I rent a car at Faro Airport from 8 November 2024, 10:00 to 12 November, 18:30. Which car is cheapest, how is its supplier rated, and what does the booking cost in all?',
    turns: [
      [searchCarPlace('Faro Airport', 37.0144, -7.9659)],
      [
        call('Search_Car_Rentals', rental, {
          search_key,
          search_results: [
            { vehicle_id: '670118', name: 'Fiat Panda', price: 88.2 },
            { vehicle_id: '670233', name: 'Seat Leon', price: 131 },
          ],
        }),
      ],
      [
        call('Vehicle_Supplier_Ratings', { vehicle_id: '670118', search_key }, { average: 7.8, reviews: 1204 }),
        call('Booking_Summary', { vehicle_id: '670118', search_key }, { total: 101.7, currency: 'USD' }),
      ],
    ],
    answer:
      'The Fiat Panda is cheapest (88.20 USD). Its supplier is rated 7.8 by 1,204 people, and the booking costs 101.70 USD in all.',
    others: ['Vehicle_Details'],
  },
  {
    id: 'Car-Rental-1',
    query:
      'I take a car at Faro Airport on 8 November 2024 at 10:00 and return it at Seville Airport on 12 November at 18:30. Tell me all about the first car.',
    turns: [
      [searchCarPlace('Faro Airport', 37.0144, -7.9659), searchCarPlace('Seville Airport', 37.418, -5.8931)],
      [
        call(
          'Search_Car_Rentals',
          { ...rental, drop_off_latitude: '37.418', drop_off_longitude: '-5.8931' },
          { search_key, search_results: [{ vehicle_id: '670301', name: 'Renault Clio', price: 219.9 }] },
        ),
      ],
      [call('Vehicle_Details', { vehicle_id: '670301', search_key }, { seats: 5, transmission: 'Manual' })],
    ],
    answer: 'The first car is a Renault Clio for 219.90 USD, with five seats and a manual transmission.',
    others: ['Booking_Summary'],
  },
]
