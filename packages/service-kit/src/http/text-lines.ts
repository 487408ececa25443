/**
 * Lines of a large body that is `{"member": "a long text"}`, read from its bytes: as one value, a text of
 * hundreds of MiB takes six times its size. The member's name is in the first segment, as that is large.
 */
import { ProblemError } from '@stateeval/contracts'
import { type BodyBytes, smallBytes } from './checked-body.ts'

const [quote, backslash, u, newline] = [...Buffer.from('"\\u\n')] as [number, number, number, number]
const firstPrintable = 0x20
/** The characters for which a backslash and a byte stand. */
const simpleEscapes = new Map(
  [...Buffer.from('"\\/bfnrt')].map((byte, at) => [byte, '"\\/\b\f\n\r\t'.charCodeAt(at)] as const),
)
/** Bytes of the longest escape, that of a surrogate pair. */
const longestEscape = 12
/** Characters before and after the text, at most. */
const maxFrame = 64 * 1024

const createMalformedBodyError = () =>
  new ProblemError('malformed-body', 'the body is not valid JSON; check quotes, commas and braces')
const createOtherFormError = (member: string) =>
  new ProblemError(
    'validation-failed',
    `a body of more than ${smallBytes} bytes must be {"${member}": "…"}, with nothing else in it`,
    `/${member}`,
  )

/** Lines without their ends; a text that ends with a newline has an empty last line. */
export function* readTextLines(
  body: BodyBytes,
  member: string,
  { maxLineBytes }: { maxLineBytes: number },
): Generator<string, void, undefined> {
  let begun: Buffer[] = []
  let bytes = 0
  let count = 1
  for (const piece of readTextPieces(body, member))
    for (let from = 0; from < piece.length;) {
      const end = piece.indexOf(newline, from)
      const part = piece.subarray(from, end < 0 ? piece.length : end)
      bytes += part.length
      if (bytes > maxLineBytes)
        throw new ProblemError(
          'unprocessable',
          `line ${count} of the text has more than ${maxLineBytes} bytes; leave it out`,
          `/${member}`,
        )
      begun.push(part)
      if (end < 0) break
      yield Buffer.concat(begun).toString()
      begun = []
      bytes = 0
      count++
      from = end + 1
    }
  yield Buffer.concat(begun).toString()
}

/** The text in UTF-8, in pieces of about the size of the body's segments. */
function* readTextPieces(
  { segments, length }: BodyBytes,
  member: string,
): Generator<Buffer, void, undefined> {
  let left = length
  let rest: Buffer = Buffer.alloc(0)
  let state: 'before' | 'inside' | 'after' = 'before'
  for (const segment of segments) {
    const own = Buffer.from(segment.buffer, segment.byteOffset, Math.min(segment.length, left))
    left -= own.length
    let bytes: Buffer = rest.length > 0 ? Buffer.concat([rest, own]) : own
    if (state === 'before') {
      const start = findTextStart(bytes, member)
      if (start < 0) throw createOtherFormError(member)
      bytes = bytes.subarray(start)
      state = 'inside'
    }
    if (state === 'inside') {
      const { text, next, isOver } = unescapeText(bytes, left === 0)
      yield text
      bytes = bytes.subarray(next)
      if (isOver) state = 'after'
    }
    rest = bytes
    if (state === 'after' && rest.length > maxFrame) throw createOtherFormError(member)
  }
  if (state !== 'after') throw createMalformedBodyError()
  if (!/^\s*\}\s*$/.test(rest.toString('latin1'))) throw createOtherFormError(member)
}

/** Finds where the text begins behind its name; negative where another value stands there. */
function findTextStart(bytes: Buffer, member: string): number {
  const head = bytes.subarray(0, maxFrame).toString('latin1')
  const [match] = /^\s*\{\s*"\w*"\s*:\s*"/.exec(head) ?? []
  return match?.includes(`"${member}"`) ? match.length : -1
}

/** JSON's text up to its end, or up to an escape that may not be complete. */
function unescapeText(bytes: Buffer, isLast: boolean): { text: Buffer; next: number; isOver: boolean } {
  const text = Buffer.allocUnsafe(bytes.length)
  let size = 0
  let at = 0
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) return { text: text.subarray(0, size), next: at + 1, isOver: true }
    if (byte !== backslash) {
      if (byte < firstPrintable) throw createMalformedBodyError()
      text[size++] = byte
      continue
    }
    if (!isLast && bytes.length - at < longestEscape) break
    const escape = bytes[++at]
    if (escape === u) {
      const high = readCodeUnit(bytes, at + 1)
      at += 4
      const isHigh = high >= 0xd800 && high < 0xdc00
      const low =
        isHigh && bytes[at + 1] === backslash && bytes[at + 2] === u ? readCodeUnit(bytes, at + 3) : 0
      const isPair = low >= 0xdc00 && low < 0xe000
      if (isPair) at += 6
      // Half a pair becomes the sign for what is none, as in UTF-8 it must.
      size += text.write(isPair ? String.fromCharCode(high, low) : String.fromCharCode(high), size)
    } else {
      const meant = escape === undefined ? undefined : simpleEscapes.get(escape)
      if (meant === undefined) throw createMalformedBodyError()
      text[size++] = meant
    }
  }
  return { text: text.subarray(0, size), next: at, isOver: false }
}

function readCodeUnit(bytes: Buffer, at: number): number {
  const digits = bytes.toString('latin1', at, at + 4)
  if (!/^[\da-fA-F]{4}$/.test(digits)) throw createMalformedBodyError()
  return Number.parseInt(digits, 16)
}
