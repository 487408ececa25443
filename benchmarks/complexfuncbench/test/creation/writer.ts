/**
 * A model that writes one query about flights and answers it; its first query, or what it does with it, can
 * be wrong.
 */
import type { Message } from '@stateeval/contracts'
import { buildFunctionSchema } from '../../travel/function.ts'
import { findFunction } from '../../travel/functions.ts'

const offered = ['Search_Flight_Location', 'Search_Flights', 'Get_Flight_Details', 'Get_Seat_Map']

/** A sample of which only the query and the calls matter: what that model can generalise. */
export function writeFlightLine(from: string, to: string, day: string, more: object[] = []): string {
  const search = { fromId: 'A', toId: 'B', departDate: '2024-12-09', sort: 'CHEAPEST' }
  const steps = [
    [from, to].map((query) => ({ name: 'Search_Flight_Location', arguments: { query } })),
    [{ name: 'Search_Flights', arguments: search }],
    [{ name: 'Get_Flight_Details', arguments: { token: 't' } }, ...more],
  ]
  return JSON.stringify({
    id: 'Flights-1000',
    conversations: [
      {
        role: 'user',
        content: `My family looks for the cheapest flight from ${from} to ${to} on ${day}. What are its details?`,
      },
      ...steps.flatMap((calls) => [
        { role: 'assistant', function_call: calls },
        { role: 'observation', content: calls.map(() => ({ status: true, data: [] })) },
      ]),
      { role: 'assistant', content: 'Done.' },
    ],
    functions: offered.map((name) => buildFunctionSchema(findFunction(name)!)),
  })
}

interface Wrong {
  /** In place of the first query: the whole answer, or the text alone. */
  query?: string
  queryText?: string
  /** In place of the first step of the first query. */
  calls?: string
  /** Of the first query's search; null: none. */
  sort?: null
}

const idIn = (content: string, field: string) => new RegExp(`"${field}":"([^"]+)"`).exec(content)?.[1] ?? ''

/** A new one for each dialogue: it counts its queries. */
export function makeWriter(wrong: Wrong = {}): (messages: readonly Message[]) => string {
  let queries = 0
  return (messages) => {
    const [first] = messages
    if (!first!.content.startsWith('You answer')) {
      queries++
      const query =
        (queries === 1 && wrong.queryText) ||
        'My family looks for the cheapest flight from Paris to Rome on December 5, 2024. What are its details?'
      if (queries === 1 && wrong.query) return wrong.query
      return `Here it is:\n\`\`\`json\n${JSON.stringify({ query, functions: ['Search_Flights'], thought: '' })}\n\`\`\``
    }
    const isWrong = queries === 1
    const step = messages.filter(({ role }) => role === 'assistant').length
    if (isWrong && step === 0 && wrong.calls) return wrong.calls
    const { content } = messages.at(-1)!
    const place = (query: string) => ({ name: 'Search_Flight_Location', arguments: { query } })
    const say = (...calls: object[]) => JSON.stringify({ calls })
    if (step === 0) return say(place('Paris'), place('Rome'), place('Tokyo'))
    if (step === 1) return say(place('Paris'))
    if (step === 2) {
      const sort = isWrong && wrong.sort === null ? {} : { sort: 'CHEAPEST' }
      const legs = { fromId: 'PAR.CITY', toId: 'ROM.CITY', departDate: '2024-12-05' }
      return say({ name: 'Search_Flights', arguments: { ...legs, ...sort } })
    }
    if (step === 3) return say({ name: 'Get_Flight_Details', arguments: { token: idIn(content, 'token') } })
    return JSON.stringify({ answer: 'The cheapest flight is found.' })
  }
}
