/**
 * Parses JSON bodies. A body of very many small values takes far longer to parse and to check than one of
 * few large ones, and many times its own size of memory: 64 MiB of `{},` block a service for minutes. So the
 * objects, lists and members of a body are counted before anything is made of it.
 */
import { ProblemError } from '@stateeval/contracts'
import type { FastifyInstance } from 'fastify'

/** Objects, lists and members of one body, at most. */
export const maxParts = 1_000_000

const [quote, backslash, brace, bracket, colon] = [...Buffer.from('"\\{[:')] as [
  number,
  number,
  number,
  number,
  number,
]

/** Whether JSON has more objects, lists and members than `max`; texts are skipped, whatever they contain. */
export function hasMoreParts(json: Uint8Array, max: number): boolean {
  let parts = 0
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (sign === quote) at = endOfText(json, at)
    else if ((sign === brace || sign === bracket || sign === colon) && ++parts > max) return true
  }
  return false
}

/** The position of the quote that ends a text; the end of the bytes if it does not end. */
function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf(quote, at)
    if (at < 0) return json.length
    let first = at
    while (json[first - 1] === backslash) first--
    if ((at - first) % 2 === 0) return at
  }
}

export function addJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!hasMoreParts(body, maxParts)) return void parse(request, body.toString(), done)
    done(
      new ProblemError(
        'payload-too-large',
        `the body has more than ${maxParts} objects, lists and members; send it in several requests`,
      ),
    )
  })
}
