/** A conversation with one response of about 128,000 tokens: made here, so that nobody has to read it. */
import type { JsonObject } from '@stateeval/contracts'
import { call, type SampleConversation } from './write.ts'

const stay = { arrival_date: '2024-12-03', departure_date: '2024-12-06' }
const porto = { dest_id: '-2173088', search_type: 'city' }

/** A full listing has this many hotels. */
const hotels = 1080
const target = 777
const words = ['river', 'garden', 'tower', 'market', 'bridge', 'harbour', 'chapel', 'orchard', 'terrace', 'mill']

/** The n-th hotel: different from all others, the same on every machine. */
function createHotel(n: number): JsonObject {
  const word = (shift: number) => words[(n * 7 + shift * 3 + Math.floor(n / 10)) % words.length]!
  return {
    hotel_id: String(500_000 + n * 37),
    name: n === target ? 'Quinta das Oliveiras' : `The ${word(0)} ${word(1)} house ${n}`,
    accessibilityLabel: `Rated ${((n * 13) % 50) / 10 + 5} by ${(n * 31) % 4000} guests, ${(n * 17) % 90} minutes from the ${word(2)} and the ${word(3)}, ${(n * 5) % 12} rooms left at this price.`,
    latitude: 41.1 + n / 10_000,
    longitude: -8.6 - n / 10_000,
    checkin: { fromTime: '15:00', untilTime: '23:30' },
    price: { value: 40 + ((n * 29) % 400), currency: 'USD', strikethrough: 60 + ((n * 29) % 400) },
    photo: `https://images.example/${(n * 2_654_435_761) % 4_294_967_296}/square60.jpg`,
  }
}

export const long: SampleConversation = {
  id: 'Hotels-3',
  query:
    'Is the Quinta das Oliveiras among the hotels of Porto from 3 to 6 December 2024? Tell me its rules.',
  turns: [
    [call('Search_Hotel_Destination', { query: 'Porto' }, [{ ...porto, name: 'Porto' }])],
    [
      call('Search_Hotels', { ...porto, ...stay, adults: 1 }, {
        hotels: Array.from({ length: hotels }, (_, n) => createHotel(n)),
      }),
    ],
    [
      call('Get_Hotel_Policies', { hotel_id: String(500_000 + target * 37) }, {
        policies: [{ title: 'Check-in', content: 'From 15:00 to 23:30' }],
      }),
    ],
  ],
  answer: 'Yes: the Quinta das Oliveiras is among them, and you can check in from 15:00 to 23:30.',
  others: ['Get_Filter', 'Get_Hotel_Details'],
}
