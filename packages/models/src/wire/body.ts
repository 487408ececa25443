/**
 * Reads the JSON values of a response: one, or one for each event of a stream. What the body begins with
 * tells which, because labels are often wrong.
 */
import { UnusableResponse } from '../classify.ts'

/** A part of a body: a value, or the mark that the body is complete, and how many characters follow it. */
type BodyPart = { value: unknown } | { done: true; unread: number }

/**
 * A body's values in order; `done` in the end, if the body was whole or said [DONE]. `take` is given each
 * part of the body's text.
 */
export async function* readValues(
  response: Response,
  take: (part: string) => void = () => undefined,
): AsyncGenerator<BodyPart, void, undefined> {
  const decoder = new TextDecoder()
  /** Joined once: joining at each part would take a time that grows with the square of the body. */
  const parts: string[] = []
  let beginning = ''
  let events: EventReader | null = null
  let isKnown = false
  const body: AsyncIterable<Uint8Array> | Uint8Array[] = response.body ?? []
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true })
    take(text)
    if (isKnown && !events) {
      parts.push(text)
      continue
    }
    if (!isKnown) {
      beginning = (beginning + text).trimStart()
      if (beginning.length < longestField) continue
      isKnown = true
      if (isStream(beginning)) events = new EventReader()
      else parts.push(beginning)
    }
    if (!events) continue
    yield* events.read(beginning === '' ? text : beginning)
    beginning = ''
    if (events.isDone) return
  }
  const rest = decoder.decode()
  take(rest)
  if (!isKnown && isStream(beginning)) events = new EventReader()
  if (events) {
    yield* events.read(`${beginning}${rest}`, '\n\n')
    return
  }
  yield { value: parseWireJson((isKnown ? parts.join('') : beginning) + rest) }
  yield { done: true, unread: 0 }
}

/** The longest beginning of a stream: "event:". */
const longestField = 6
const isStream = (text: string) => /^(data|event|id|retry)?:/.test(text)

/** JSON, or the text if it begins with something else. A broken text throws a SyntaxError. */
function parseWireJson(text: string): unknown {
  if (text.trim() === '') throw new UnusableResponse('the endpoint’s answer has no body')
  return /^\s*[[{"]/.test(text) ? JSON.parse(text) : text
}

/** Server-sent events, read line by line. */
class EventReader {
  #isDone = false
  /** The beginning of a line that has no end so far. */
  #begun: string[] = []
  #data: string[] = []
  #isError = false

  get isDone(): boolean {
    return this.#isDone
  }

  /** @param end what is added to the last text of a body. */
  *read(text: string, end = ''): Generator<BodyPart, void, undefined> {
    this.#begun.push(text, end)
    if (!/[\r\n]/.test(text + end)) return
    const begun = this.#begun.join('')
    // A carriage return may be the first half of a line's end.
    const whole = begun.endsWith('\r') ? begun.slice(0, -1) : begun
    let at = 0
    for (const { index, 0: lineEnd } of whole.matchAll(/\r\n|\n|\r/g)) {
      const line = whole.slice(at, index)
      at = index + lineEnd.length
      if (line === '') yield* this.#end(Math.max(0, begun.length - at - end.length))
      else if (line.startsWith('data:')) this.#data.push(line.slice(5).trimStart())
      else if (line.startsWith('event:')) this.#isError = line.slice(6).trim() === 'error'
      // Some servers report an error as bare JSON in the middle of a stream.
      else if (line.startsWith('{')) this.#data.push(line)
      if (this.isDone) return
    }
    this.#begun = [begun.slice(at)]
  }

  *#end(unread: number): Generator<BodyPart, void, undefined> {
    const data = this.#data
    const isError = this.#isError
    this.#data = []
    this.#isError = false
    // An event is one text of several lines; some servers leave out the empty line between events.
    const texts = data.length > 1 && data.every((line) => isJson(line)) ? data : [data.join('\n')]
    for (const text of texts) {
      if (text === '') continue
      if (text === '[DONE]' || text === '"[DONE]"') {
        this.#isDone = true
        yield { done: true, unread }
        return
      }
      const value: unknown = JSON.parse(text)
      yield { value: isError && !hasError(value) ? { error: value } : value }
    }
  }
}

const hasError = (value: unknown) => typeof value === 'object' && value !== null && 'error' in value

function isJson(text: string): boolean {
  if (text === '[DONE]') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
