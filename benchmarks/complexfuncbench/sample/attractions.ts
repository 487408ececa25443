/** Conversations of the domain Attraction. */
import { call, type SampleConversation } from './write.ts'

const id = 'eyJ1ZmkiOi0yMTczMDg4fQ=='
const slug = 'prx1k0yt7pwd-douro-river-cruise-of-six-bridges'

export const attractions: readonly SampleConversation[] = [
  {
    id: 'Attraction-0',
    query: 'What is trending in Porto? Tell me all about the first attraction and whether I can visit it on 5 December 2024.',
    turns: [
      [call('Search_Attraction_Location', { query: 'Porto' }, { destinations: [{ id, name: 'Porto' }] })],
      [
        call('Search_Attractions', { id, sortBy: 'trending' }, {
          products: [{ slug, name: 'Cruise of six bridges', price: 18 }],
        }),
      ],
      [
        call('Get_Attraction_Details', { slug }, { description: 'A cruise below the bridges of the Douro.' }),
        call('Get_Availability', { slug, date: '2024-12-05' }, [{ start: '11:00', free: 23 }]),
      ],
    ],
    answer:
      'The cruise of six bridges is trending: a cruise below the bridges of the Douro for 18 USD. On 5 December it starts at 11:00, with 23 places left.',
    others: ['Search_Hotel_Destination'],
  },
  {
    id: 'Attraction-1',
    query: 'Find the Tile Workshop in Porto and tell me what happens there.',
    turns: [
      [
        call('Search_Attraction_Location', { query: 'Tile Workshop, Porto' }, {
          products: [{ productSlug: 'prq9d2-tile-workshop', title: 'Tile Workshop' }],
        }),
      ],
      [call('Get_Attraction_Details', { slug: 'prq9d2-tile-workshop' }, { description: 'You paint two tiles.' })],
    ],
    answer: 'At the Tile Workshop you paint two tiles.',
    others: ['Search_Attractions', 'Get_Availability'],
  },
]
