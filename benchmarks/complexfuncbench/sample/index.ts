/** The sample of the benchmark: conversations of our own in the published format, over its five domains. */
import { attractions } from './attractions.ts'
import { cars } from './cars.ts'
import { cross } from './cross.ts'
import { flights } from './flights.ts'
import { hotels } from './hotels.ts'
import { long } from './long.ts'
import { formatSampleLines } from './write.ts'

const joinSampleLines = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

/** conversations.jsonl */
export const conversations = joinSampleLines(
  [...hotels, ...flights, ...cars, ...attractions, ...cross].map(formatSampleLines),
)
/** long.jsonl, which is stored packed */
export const longConversation = joinSampleLines([formatSampleLines(long)])
