/** Conversations of the domain Hotels. */
import { call, type SampleConversation } from './write.ts'

const stay = { arrival_date: '2024-12-03', departure_date: '2024-12-06' }
const porto = { dest_id: '-2173088', search_type: 'city' }
const kyoto = { dest_id: '-235402', search_type: 'city' }
const searchDestination = (query: string, dest_id: string) =>
  call('Search_Hotel_Destination', { query }, [{ dest_id, search_type: 'city', name: query, hotels: 412 }])

export const hotels: readonly SampleConversation[] = [
  {
    id: 'Hotels-0',
    query:
      'Two of us stay in Porto from 3 to 6 December 2024. Find the most popular hotels with a pool and free parking, and tell me the rules of the first one.',
    turns: [
      [searchDestination('Porto', porto.dest_id)],
      [
        call('Get_Filter', { ...porto, ...stay, adults: 2 }, {
          filters: [
            {
              title: 'Facilities',
              options: [
                { genericId: 'facility::433', title: 'Swimming pool' },
                { genericId: 'facility::2', title: 'Free parking' },
                { genericId: 'facility::107', title: 'Free WiFi' },
              ],
            },
          ],
        }),
      ],
      [
        call(
          'Search_Hotels',
          {
            ...porto,
            ...stay,
            adults: 2,
            categories_filter: 'facility::433,facility::2',
            sort_by: 'popularity',
          },
          {
            hotels: [
              { hotel_id: '8813', name: 'Casa do Rio', price: { value: 141.5, currency: 'USD' }, rating: 9.1 },
              { hotel_id: '8827', name: 'Miradouro Lodge', price: { value: 118, currency: 'USD' }, rating: 8.4 },
            ],
          },
        ),
      ],
      [
        call('Get_Hotel_Policies', { hotel_id: '8813' }, {
          policies: [
            { title: 'Check-in', content: 'From 15:00 to 23:00' },
            { title: 'Pets', content: 'Pets are not allowed.' },
          ],
        }),
      ],
    ],
    answer:
      'Casa do Rio (141.50 USD a night) and Miradouro Lodge (118 USD a night) have a pool and free parking. Casa do Rio lets you check in from 15:00 to 23:00; pets are not allowed.',
    others: ['Get_Hotel_Details', 'Get_Room_List_With_Availability'],
  },
  {
    id: 'Hotels-1',
    query:
      'Which rooms does the hotel Kamo Garden in Kyoto have for 2 adults and children of 4 and 7 from 3 to 6 December 2024, in euros, and what do its newest reviews say?',
    turns: [
      [
        call('Search_Hotel_Destination', { query: 'Kamo Garden, Kyoto' }, [
          { dest_id: '99120', search_type: 'hotel', name: 'Kamo Garden' },
        ]),
      ],
      [
        call(
          'Search_Hotels',
          { dest_id: '99120', search_type: 'hotel', ...stay, adults: 2, children_age: '4,7' },
          { hotels: [{ hotel_id: '99120', name: 'Kamo Garden', rating: 8.9 }] },
        ),
      ],
      [
        call(
          'Get_Room_List_With_Availability',
          { hotel_id: '99120', ...stay, adults: 2, children_age: '4,7', room_qty: 1, currency_code: 'EUR' },
          { available: [{ room_id: '991201', name: 'Family room with garden view', price: 231.75 }] },
        ),
        call('Get_Hotel_Reviews(Tips)_Sort_Option', { hotel_id: '99120' }, [
          { id: 'SORT_MOST_RELEVANT', name: 'Most relevant' },
          { id: 'SORT_RECENT_DESC', name: 'Newest first' },
        ]),
      ],
      [
        call('Get_Hotel_Reviews(Tips)', { hotel_id: '99120', sort_option_id: 'SORT_RECENT_DESC' }, {
          result: [{ title: 'Quiet', pros: 'The garden, 静か', cons: 'Far from the station' }],
        }),
      ],
    ],
    answer:
      'Kamo Garden has a family room with garden view for 231.75 EUR. Its newest review praises the quiet garden and finds it far from the station.',
    others: ['Get_Hotel_Details'],
  },
  {
    id: 'Hotels-2',
    query:
      'Compare hotels in Porto and in Kyoto for one adult from 3 to 6 December 2024: I want the cheapest one of each city.',
    turns: [
      [searchDestination('Porto', porto.dest_id), searchDestination('Kyoto', kyoto.dest_id)],
      [
        call('Search_Hotels', { ...porto, ...stay, adults: 1, sort_by: 'price' }, {
          hotels: [{ hotel_id: '8850', name: 'Ribeira Rooms', price: { value: 52, currency: 'USD' } }],
        }),
        call('Search_Hotels', { ...kyoto, ...stay, adults: 1, sort_by: 'price' }, {
          hotels: [{ hotel_id: '99177', name: 'Gojo Guesthouse', price: { value: 39, currency: 'USD' } }],
        }),
      ],
    ],
    answer: 'The cheapest hotels are Ribeira Rooms in Porto (52 USD) and Gojo Guesthouse in Kyoto (39 USD).',
    others: ['Get_Filter', 'Get_Hotel_Policies'],
  },
]
