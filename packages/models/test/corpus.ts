/** The replies of `corpus`, each a file with its source, its forms and what it must be read as. */
import { globSync, readFileSync } from 'node:fs'

export interface CorpusReply {
  source: string
  dialect: string
  /** Of an error; 200 without it. */
  status?: number
  headers?: Record<string, string>
  type?: string
  /** A body: a text as it stands, anything else as JSON. */
  whole?: unknown
  /** Events: a text as it stands, anything else as JSON behind `data: `. */
  stream?: unknown[]
  expected: ExpectedAnswer | { outcome: 'refused'; kind: string; says?: string } | ExpectedFault
}
interface ExpectedAnswer {
  text: string
  finish?: string
  toolCalls?: { id?: string; name: string; arguments: string }[]
  usage?: object
}
interface ExpectedFault {
  outcome: 'transient'
  says: string
}

const folder = new URL('corpus/', import.meta.url).pathname
export const replies = globSync('*/*.json', { cwd: folder }).map(
  (path) => [path, JSON.parse(readFileSync(`${folder}${path}`, 'utf8')) as CorpusReply] as const,
)

const eventOf = (value: unknown) =>
  typeof value === 'string' ? `${value}\n\n` : `data: ${JSON.stringify(value)}\n\n`
/** The body of a reply as it came whole; null if it only came streamed. */
export const wholeBody = ({ whole }: CorpusReply): string | null =>
  whole === undefined ? null : typeof whole === 'string' ? whole : JSON.stringify(whole)
/** The body of a reply as it came streamed; null if it only came whole. */
export const streamedBody = ({ stream }: CorpusReply): string | null =>
  stream ? stream.map(eventOf).join('') : null
