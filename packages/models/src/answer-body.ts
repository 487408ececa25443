/**
 * Limits the body of an answer before it is read, which buffers and parses. An endpoint must neither fill the
 * memory nor block the event loop, on which the timeout of the request depends.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FloodError, UnusableResponse } from './classify.ts'
import { largestAnswer } from './transport.ts'

const MiB = 2 ** 20
/** Limit of one JSON text. The longest kept answer takes 12 MB if every character is escaped. */
const largestText = 16 * MiB
/** Brackets, colons and commas of one JSON text outside its strings. Parsing so many takes about 0.1 s. */
const maxTextParts = 500_000
/** An event is read at once. It usually has one line. */
const maxEventLines = 10_000
/** Limit of the whole stream. Servers send up to three lines a token. */
const maxLines = 5_000_000
/**
 * Bytes of comments, fields without data, and superfluous empty lines, beyond as many as the data has. A
 * comment that keeps the connection open has about 25.
 */
const maxIdle = MiB / 4

/** A part is read without a pause. */
const partBytes = 4096
const longestWorkMs = 10

/** The response with a body that is limited after decompression and passed on in small parts. */
export function limitResponse(response: Response): Response {
  if (response.body === null) return response
  const { status, headers, body } = response
  const parts = ReadableStream.from(pauseBetweenParts(body, createCheck()))
  return new Response(parts, { status, headers: new Headers([...headers]) })
}

/** Checks each part before it passes on. Lets other work of this process run in between. */
async function* pauseBetweenParts(body: ReadableStream<Uint8Array>, check: (part: Uint8Array) => void) {
  let begin = performance.now()
  for await (const chunk of body)
    for (let at = 0; at < chunk.length; at += partBytes) {
      // The reader asks for a part when it has handled the one before.
      if (performance.now() - begin > longestWorkMs) {
        await nextTurn()
        begin = performance.now()
      }
      const part = chunk.subarray(at, at + partBytes)
      check(part)
      yield part
    }
}

const createFlood = (what: string) =>
  new FloodError(`the endpoint’s answer ${what}; lower max_tokens, and request no log probabilities`)
const createUnusualStream = (what: string) => new UnusableResponse(`the endpoint’s stream ${what}`)

const [lineFeed, carriageReturn, quote, comma, colon, openBracket, backslash, openBrace] = Buffer.from(
  '\n\r",:[\\{',
) as unknown as readonly number[]
const dataField = Buffer.from('data:')

/** Detects the form by the first part of a body that has more than white space; undefined before that. */
function detectForm(part: Uint8Array): 'json' | 'events' | undefined {
  const first = part.find((byte) => byte > space)
  return first === undefined ? undefined : jsonBeginnings.has(first) ? 'json' : 'events'
}
const space = 0x20
const jsonBeginnings: ReadonlySet<number> = new Set(Buffer.from('{["<'))

/** A function that takes the parts of a body in order, and throws at the part that exceeds a limit. */
function createCheck(): (part: Uint8Array) => void {
  /** One JSON text, or events with a JSON text each. A body shows what it is; its label may be wrong. */
  let form: 'json' | 'events' | undefined
  let size = 0
  /** Counts of the current JSON text, which is the whole body or one event. */
  let text = { size: 0, parts: 0, lines: 0 }
  let inString = false
  let isEscaped = false
  let line = { length: 0, isData: true }
  let lines = 0
  /** Positive while more bytes came without data than with it. */
  let idle = 0
  let afterData = false
  let afterCarriageReturn = false

  function endLine(): void {
    inString = isEscaped = false
    if (form === 'json') return
    const { length } = line
    const hasData = line.isData && length >= dataField.length
    lines++
    text.lines++
    if (hasData) idle -= length
    else if (length > 0 || !afterData) idle += length + 1
    // An empty line ends an event.
    if (length === 0) text = { size: 0, parts: 0, lines: 0 }
    afterData = hasData || (afterData && length > 0)
    line = { length: 0, isData: true }
  }
  return (part) => {
    form ??= detectForm(part)
    size += part.length
    text.size += part.length
    for (const byte of part) {
      const endsPair = afterCarriageReturn && byte === lineFeed
      afterCarriageReturn = byte === carriageReturn
      if (endsPair) continue
      if (byte === lineFeed || byte === carriageReturn) {
        endLine()
        continue
      }
      if (line.length < dataField.length) line.isData &&= byte === dataField[line.length]
      line.length++
      if (isEscaped) isEscaped = false
      else if (byte === quote) inString = !inString
      else if (inString) isEscaped = byte === backslash
      else if (byte === comma || byte === colon || byte === openBracket || byte === openBrace) text.parts++
    }
    if (size > largestAnswer || text.size > largestText)
      throw createFlood(`is larger than ${(size > largestAnswer ? largestAnswer : largestText) / MiB} MiB`)
    if (text.parts > maxTextParts) throw createFlood(`has more than ${maxTextParts} values`)
    if (text.lines > maxEventLines)
      throw createUnusualStream(`has an event of more than ${maxEventLines} lines`)
    if (lines > maxLines) throw createUnusualStream(`has more than ${maxLines} lines`)
    if (idle > maxIdle) throw createUnusualStream('has too many lines without data')
  }
}
