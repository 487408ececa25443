/** Conversations across domains: the only ones with a taxi. */
import { call, type SampleConversation } from './write.ts'

const stay = { arrival_date: '2024-11-14', departure_date: '2024-11-17' }
const searchTaxiPlace = (query: string, googlePlaceId: string) =>
  call('Taxi_Search_Location', { query }, [{ googlePlaceId, name: query }])
const searchFlightPlace = (query: string, id: string) => call('Search_Flight_Location', { query }, [{ id, name: query }])

export const cross: readonly SampleConversation[] = [
  {
    id: 'Cross-0',
    query:
      'I fly from Lisbon to Oslo on 14 November 2024 on the best flight, stay until 17 November in a hotel within 10 km of the Opera House, and take a taxi from the airport to the hotel one hour after landing. Book the first of each.',
    turns: [
      [
        searchFlightPlace('Lisbon', 'LIS.AIRPORT'),
        searchFlightPlace('Oslo', 'OSL.AIRPORT'),
        call('Location_to_Lat_Long', { query: 'Opera House, Oslo' }, [
          { name: 'Opera House', geometry: { location: { lat: 59.9075, lng: 10.7531 } } },
        ]),
      ],
      [
        call(
          'Search_Flights',
          { fromId: 'LIS.AIRPORT', toId: 'OSL.AIRPORT', departDate: '2024-11-14', sort: 'BEST' },
          { flightOffers: [{ token: 'd7699_best', arrivalAirport: 'Oslo Gardermoen', arrival: '12:55' }] },
        ),
        call(
          'Search_Hotels_By_Coordinates',
          { latitude: '59.9075', longitude: '10.7531', ...stay, radius: 10 },
          { result: [{ hotel_id: '41770', name: 'Fjord Inn' }] },
        ),
      ],
      [searchTaxiPlace('Oslo Gardermoen', 'ChIJ-osl'), searchTaxiPlace('Fjord Inn', 'ChIJ-fjord')],
      [
        call(
          'Search_Taxi',
          {
            pick_up_place_id: 'ChIJ-osl',
            drop_off_place_id: 'ChIJ-fjord',
            pick_up_date: '2024-11-14',
            pick_up_time: '13:55',
          },
          { results: [{ vehicleType: 'STANDARD', price: 61 }] },
        ),
      ],
    ],
    answer:
      'Your flight lands in Oslo Gardermoen at 12:55. You stay in the Fjord Inn, and a standard taxi takes you there at 13:55 for 61 USD.',
    others: ['Get_Flight_Details'],
  },
  {
    id: 'Cross-1',
    query:
      'We rent a car in Faro from 8 November 2024, 10:00 to 12 November, 18:30, and want to see what is trending there. Which car and which attraction come first?',
    turns: [
      [
        call('Search_Car_Location', { query: 'Faro' }, [
          { name: 'Faro', coordinates: { latitude: 37.0176, longitude: -7.9369 } },
        ]),
        call('Search_Attraction_Location', { query: 'Faro' }, { destinations: [{ id: 'eyJ1ZmkiOjF9' }] }),
      ],
      [
        call(
          'Search_Car_Rentals',
          {
            pick_up_latitude: '37.0176',
            pick_up_longitude: '-7.9369',
            pick_up_date: '2024-11-08',
            pick_up_time: '10:00',
            drop_off_latitude: '37.0176',
            drop_off_longitude: '-7.9369',
            drop_off_date: '2024-11-12',
            drop_off_time: '18:30',
          },
          { search_key: 'k1', search_results: [{ vehicle_id: '1', name: 'Opel Corsa', price: 77 }] },
        ),
        call('Search_Attractions', { id: 'eyJ1ZmkiOjF9', sortBy: 'trending' }, {
          products: [{ slug: 'pr1-lagoon', name: 'Boat trip in the lagoon' }],
        }),
      ],
    ],
    answer: 'First come an Opel Corsa for 77 USD and a boat trip in the lagoon.',
    others: ['Get_Attraction_Details', 'Vehicle_Details'],
  },
  {
    id: 'Cross-2',
    query:
      'Which flights in business class go from Oslo to Porto on 3 December 2024, and which hotels there take 3 adults in 2 rooms until 6 December, at most 200 USD a night?',
    turns: [
      [
        searchFlightPlace('Oslo', 'OSL.AIRPORT'),
        searchFlightPlace('Porto', 'OPO.AIRPORT'),
        call('Search_Hotel_Destination', { query: 'Porto' }, [{ dest_id: '-2173088', search_type: 'city' }]),
      ],
      [
        call(
          'Search_Flights',
          {
            fromId: 'OSL.AIRPORT',
            toId: 'OPO.AIRPORT',
            departDate: '2024-12-03',
            adults: 3,
            cabinClass: 'BUSINESS',
            direct: false,
          },
          { flightOffers: [{ token: 'd7699_opo', price: 2210 }] },
        ),
        call(
          'Search_Hotels',
          {
            dest_id: '-2173088',
            search_type: 'city',
            arrival_date: '2024-12-03',
            departure_date: '2024-12-06',
            adults: 3,
            room_qty: 2,
            price_max: 200,
          },
          { hotels: [{ hotel_id: '8827', name: 'Miradouro Lodge', price: { value: 118, currency: 'USD' } }] },
        ),
      ],
    ],
    answer: 'A flight in business class costs 2,210 USD for three, and the Miradouro Lodge has two rooms for 118 USD.',
    others: ['Location_to_Lat_Long'],
  },
]
