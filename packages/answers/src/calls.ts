/** Calls that a model wrote into its text in the notation of its family (docs/answers.md, Calls). */
import { callMarks, type CallNotation, callNotations, type TextLayout } from './tables/call-notations.ts'
import { readText } from './text.ts'

export interface WrittenCall {
  name: string
  /** The written arguments; as JSON where the parameters stand between tags. */
  arguments: string
}

/** The calls in order; empty where the answer has none in a known notation. */
export function readCalls(answer: string): WrittenCall[] {
  // Messages of gpt-oss that call something are no text, so its calls stand in the answer alone.
  const text = readText(answer) ?? ''
  const found = findFirstNotation(callNotations, text)
  if (found) return parseCalls(text, found)
  const message = findFirstNotation(
    callNotations.filter(({ isMessage }) => isMessage),
    answer,
  )
  return message ? parseCalls(answer, message) : []
}

/**
 * The layout in which a model can be asked for calls in its text, if the text calls this tool; else null.
 */
export function findLayout(text: string, tool: string): TextLayout | null {
  // Words about a tool are no call.
  if (!text.includes(tool)) return null
  const found = findFirstNotation(callNotations, text) ?? callMarks.find(({ mark }) => text.includes(mark))
  return found ? (found.layout ?? 'qwen') : null
}

/** The notation that begins first. */
function findFirstNotation(notations: readonly CallNotation[], text: string): CallNotation | undefined {
  let [first, place]: [CallNotation | undefined, number] = [undefined, text.length]
  for (const notation of notations) {
    notation.begins.lastIndex = 0
    const match = notation.begins.exec(text)
    if (match && match.index < place) [first, place] = [notation, match.index]
  }
  return first
}

function parseCalls(text: string, { begins, ends, parameters }: CallNotation): WrittenCall[] {
  begins.lastIndex = 0
  const marks = [...text.matchAll(begins)]
  return marks.map((mark, at) => {
    const body = text.slice(mark.index + mark[0].length, marks[at + 1]?.index)
    const end = ends?.exec(body)
    const written = (end ? body.slice(0, end.index) : body).trim()
    const pairs = parameters ? [...written.matchAll(parameters)] : []
    return {
      name: mark[1]!,
      arguments: pairs.length > 0 ? buildObject(pairs) : removeFence(written),
    }
  })
}

/** Values between tags have no quotes: what is JSON is meant as such, everything else as a text. */
const buildObject = (pairs: readonly RegExpExecArray[]): string =>
  `{${pairs.map(([, key, value]) => `${JSON.stringify(key!.trim())}: ${toJsonText(value!)}`).join(', ')}}`
function toJsonText(value: string): string {
  try {
    JSON.parse(value)
    return value.trim()
  } catch {
    return JSON.stringify(value)
  }
}

const removeFence = (text: string): string => {
  const inner = /^```\w{0,20}\n([^]*?)(?:\n?```|$)/.exec(text)
  return inner ? inner[1]! : text
}
