/**
 * Replies in the form of each vendor and server, one a file, with their sources: read as expected, whole and
 * streamed.
 */
import { expect, test } from '@jest/globals'
import type { Script } from '../../testkit/src/scripted-model.ts'
import { clientWith, hi, serve } from './asking.ts'
import { type CorpusReply, replies, streamedBody, wholeBody } from './corpus.ts'

/** Each form of a reply, and whether it was asked for as a stream. */
function formsOf(reply: CorpusReply): [Script, boolean][] {
  const { status, headers = {}, type } = reply
  const labelled = type === undefined ? {} : { type }
  const [body, events] = [wholeBody(reply), streamedBody(reply)]
  const forms: [Script, boolean][] = []
  if (body !== null)
    forms.push([
      status === undefined ? { garbage: body, ...labelled } : { status, headers, body, ...labelled },
      false,
    ])
  if (events !== null) forms.push([{ garbage: events, type: 'text/event-stream' }, true])
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
