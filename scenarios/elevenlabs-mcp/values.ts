/**
 * Realistic contents: what is announced, what people have recorded, who speaks and who is called. No floats
 * but the settings of the synthesis.
 */
import type { RandomSource } from '@stateeval/program'
import type { InitialStudio } from './state.ts'

const openings = [
  'Good morning and welcome to the Harbour Museum.',
  'This is a reminder from the dental practice on Mill Lane.',
  'Thank you for calling the city library.',
  'Your order from Green Valley Farm is ready.',
  'Attention please, passengers of the night train to Vienna.',
  'Dear neighbours of Rosewood Court.',
  'Hello from the choir of Saint Martin.',
  'The workshop on bread baking starts soon.',
  'Greetings from the observatory on Crow Hill.',
  'This message is for everyone on the ferry list.',
] as const
const middles = [
  'The guided tour starts in ten minutes at the main entrance.',
  'Please bring your insurance card and arrive a little earlier.',
  'The reading room stays closed because of repairs on the roof.',
  'You can pick it up at the side door until six in the evening.',
  'The train leaves from another platform than usual today.',
  'The water will be turned off on Thursday between nine and noon.',
  'Rehearsal moves to the parish hall as the church is too cold.',
  'We still have places for two beginners and one helper.',
  'The sky is expected to be clear enough for the large telescope.',
  'The early crossing is cancelled and the next one leaves at noon.',
] as const
const closings = [
  'We look forward to seeing you.',
  'Call us back if that does not suit you.',
  'Thank you for your patience.',
  'Please tell everyone who should know.',
  'Have a pleasant day.',
  'See you there.',
] as const

const callers = [
  'Hi, it is me again from the garden centre.',
  'Hello, this is your neighbour from upstairs.',
  'Good evening, I am calling about the red bicycle.',
  'Hey, it is Maria, I am still at the station.',
  'Hello, my name is Weber and I found your dog.',
  'Hi there, the rehearsal room is double booked.',
  'Good day, this is the plumber speaking.',
  'Hi Grandma, we have just arrived at the lake.',
] as const
const concerns = [
  'The delivery came an hour early and nobody was there to take it.',
  'Could you please check whether the kitchen window is closed?',
  'I would like to know if it is still for sale and what you ask for it.',
  'The connection was late so I will be on the next bus after seven.',
  'He is well and sleeping in our kitchen, so come whenever you can.',
  'We need another room for Tuesday or we have to move to the weekend.',
  'The spare part will arrive tomorrow and then it takes two hours.',
  'The weather is wonderful and the children have been swimming all day.',
] as const

const drawCombination = (rng: RandomSource, ...pools: (readonly string[])[]) =>
  pools.map((pool) => rng.pick(pool)).join(' ')

/** Draws a text that somebody wants spoken. */
export const drawAnnouncement = (rng: RandomSource) =>
  drawCombination(rng, openings, middles, ...(rng.chance(0.5) ? [closings] : []))
/** Draws a text that somebody has recorded. */
export const drawMessage = (rng: RandomSource) =>
  drawCombination(rng, callers, concerns, ...(rng.chance(0.3) ? [closings] : []))

export const voiceNames = [
  'Adelheid', 'Anselm', 'Beatrix', 'Bruno', 'Camille', 'Cosima', 'Dorian', 'Edda', 'Emil', 'Fiona', 'Gustav', 'Hanna',
  'Ingrid', 'Jasper', 'Kaia', 'Lorenz', 'Mirabel', 'Nils', 'Ottilie', 'Pascal', 'Quirin', 'Rosalie', 'Silvan', 'Thea',
] as const // oxfmt-ignore
export const categories = [
  'narration',
  'conversational',
  'news',
  'advertisement',
  'character',
  'meditation',
] as const
export const genders = ['female', 'male'] as const

const people = ['Dr. Amara Okafor', 'Jonas Lindqvist', 'Priya Raman', 'Tomasz Zielinski', 'Lucia Ferrante', 'Henry Oduya', 'Mei Tanaka', 'Sofie Brandt'] as const // oxfmt-ignore

/** People to call, each with a number of those that nobody has. */
export const drawContacts = (rng: RandomSource, count: number) =>
  rng
    .sample(people, count)
    .map((name, index) => ({ name, to_number: `+1 202 555 01${String(10 + 30 * index + rng.int(0, 29))}` }))

/**
 * A library in which two categories have several voices of both genders, so that a search finds several and
 * one by less finds more, and one or two categories have a few.
 */
export function drawLibrary(rng: RandomSource): InitialStudio['voices'] {
  const [one, other, ...rest] = rng.sample(categories, rng.int(3, 4)) as [string, string, ...string[]]
  const several = (category: string) =>
    genders.flatMap((gender) => Array.from({ length: rng.int(2, 3) }, () => ({ category, gender })))
  const few = (category: string) =>
    Array.from({ length: rng.int(1, 2) }, () => ({ category, gender: rng.pick(genders) }))
  const kinds = [...several(one), ...several(other), ...rest.flatMap(few)]
  const names = rng.sample(voiceNames, kinds.length)
  return kinds.map((kind, index) => ({ voice_name: names[index] as string, ...kind }))
}

/** The library of a server that was given none. */
export const standardLibrary: InitialStudio['voices'] = [
  { voice_name: 'Anselm', category: 'narration', gender: 'male' },
  { voice_name: 'Beatrix', category: 'news', gender: 'female' },
  { voice_name: 'Bruno', category: 'conversational', gender: 'male' },
  { voice_name: 'Cosima', category: 'narration', gender: 'female' },
  { voice_name: 'Dorian', category: 'character', gender: 'male' },
  { voice_name: 'Edda', category: 'conversational', gender: 'female' },
  { voice_name: 'Gustav', category: 'news', gender: 'male' },
  { voice_name: 'Mirabel', category: 'meditation', gender: 'female' },
  { voice_name: 'Nils', category: 'meditation', gender: 'male' },
  { voice_name: 'Rosalie', category: 'conversational', gender: 'female' },
]
