/**
 * Replies in the form of each vendor and server, one a file, with their sources: read as expected, whole and
 * streamed.
 */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import type { Script } from '../../testkit/src/scripted-model.ts'
import { clientWith, hi, serve } from './asking.ts'

interface CorpusReply {
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
const replies = globSync('*/*.json', { cwd: folder }).map(
  (path) => [path, JSON.parse(readFileSync(`${folder}${path}`, 'utf8')) as CorpusReply] as const,
)
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const eventOf = (value: unknown) =>
  typeof value === 'string' ? `${value}\n\n` : `data: ${JSON.stringify(value)}\n\n`

/** Each form of a reply, and whether it was asked for as a stream. */
function formsOf({ status, headers = {}, type, whole, stream }: CorpusReply): [Script, boolean][] {
  const labelled = type === undefined ? {} : { type }
  const body = textOf(whole)
  const forms: [Script, boolean][] = []
  if (whole !== undefined)
    forms.push([
      status === undefined ? { garbage: body, ...labelled } : { status, headers, body, ...labelled },
      false,
    ])
  if (stream) forms.push([{ garbage: stream.map(eventOf).join(''), type: 'text/event-stream' }, true])
  return forms
}

test('the corpus has at least 150 replies, each with a source', () => {
  expect(replies.length).toBeGreaterThanOrEqual(150)
  for (const [path, { source, dialect }] of replies)
    expect([source, path]).toEqual([
      expect.stringMatching(/^https:\/\/\S+$/),
      expect.stringMatching(`^${dialect}/`),
    ])
})

test.each(replies)('%s', async (_, reply) => {
  const { expected } = reply
  const forms = formsOf(reply)
  expect(forms).not.toEqual([])
  for (const [script, stream] of forms) {
    const { baseUrl } = await serve(script)
    const answer = await clientWith([], { retries: 0 }).ask(
      { name: 'm', settings: { baseUrl, model: 'x', stream } },
      { messages: hi },
      new AbortController().signal,
    )
    if ('outcome' in expected)
      expect(answer).toMatchObject({
        status: expected.outcome === 'refused' ? 'refused' : 'failed',
        ...('kind' in expected && { kind: expected.kind }),
        reason: expect.stringContaining(expected.says ?? ''),
      })
    else {
      expect(answer).toMatchObject({ status: 'done', ...expected })
      expect('toolCalls' in answer).toBe('toolCalls' in expected)
    }
  }
})
