import { expect, test } from '@jest/globals'
import { ProblemError } from '@stateeval/contracts'
import fc from 'fast-check'
import { readTextLines } from '../src/http/text-lines.ts'

const maxLineBytes = 1000

/** The body cut at these places, the last segment with room behind it. */
function read(body: Buffer, cuts: readonly number[] = []): string[] {
  const places = [0, ...cuts.map((cut) => cut % (body.length + 1)).sort((a, b) => a - b), body.length]
  // A body begins in its first segment.
  places[1] = Math.max(places[1]!, Math.min(30, body.length))
  const segments = places
    .slice(1)
    .map((end, n) => body.subarray(Math.max(places[n]!, n > 0 ? places[1]! : 0), end))
  const room = Buffer.concat([segments.pop()!, Buffer.from('"}')])
  return [...readTextLines({ segments: [...segments, room], length: body.length }, 'text', { maxLineBytes })]
}
const line = fc.string({ unit: 'grapheme', maxLength: 40 })
const texts = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'))
const cuts = fc.array(fc.nat(), { maxLength: 6 })

test('lines are those of the parsed text, wherever segments end', () => {
  const escaped = (json: string) =>
    json.replaceAll(/[^\u0000-\u007f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  fc.assert(
    fc.property(texts, cuts, fc.boolean(), (text, at, isEscaped) => {
      const json = JSON.stringify(text)
      const body = Buffer.from(` {"text" : ${isEscaped ? escaped(json) : json} }\n`)
      expect(read(body, at)).toEqual(text.split('\n'))
    }),
  )
})

test('what JSON.parse refuses is refused', () => {
  const odd = fc.string({
    unit: fc.constantFrom('\\', '"', 'u', 'd', '8', '0', 'n', '\n', 'x', ' ', '\u0001'),
    maxLength: 30,
  })
  fc.assert(
    fc.property(odd, cuts, (text, at) => {
      const body = Buffer.from(`{"text":"${text}"}`)
      let parsed: { text: string } | null = null
      try {
        parsed = JSON.parse(body.toString()) as { text: string }
      } catch {
        expect(() => read(body, at)).toThrow(ProblemError)
      }
      // Half a surrogate pair has no UTF-8.
      if (parsed) expect(read(body, at)).toEqual(Buffer.from(parsed.text).toString().split('\n'))
    }),
  )
})

test.each([
  ['another member', '{"other":"a"}', 'must be {"text"'],
  ['a member too many', '{"text":"a","b":1}', 'must be {"text"'],
  ['no text', '{"text":1}', 'must be {"text"'],
  ['an open end', '{"text":"a', 'not valid JSON'],
  [
    'a long line',
    `{"text":"a\\n${'b'.repeat(maxLineBytes + 1)}"}`,
    'line 2 of the text has more than 1000 bytes',
  ],
])('%s is named', (_, body, says) => {
  expect(() => read(Buffer.from(body))).toThrow(says)
})
