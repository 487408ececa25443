/**
 * The released parsers of version 2 (README, published behaviour 3 to 5), one a model family: an answer's
 * text as a list of elements. They differ in what they strip and repair; whatever goes wrong makes an empty
 * prediction and one parsing error.
 */
import { readWhole, UnreadableError } from '../python/read.ts'
import { PyDict, isDict, getPyMember, type PyValue } from '../python/value.ts'
import { parseToolaceCalls } from './toolace.ts'

export const families = [
  'llama',
  'granite',
  'granite-3.0',
  'granite-20b',
  'deepseek',
  'hammer',
  'mistral',
  'hermes',
  'xlam',
  'llama-3-70b',
  'toolace',
  'gpt',
] as const
export type AnswerFamily = (typeof families)[number]

interface ReleasedAnswer {
  /** The list as parsed, before grounding; what is executed. */
  elements: PyValue[]
  /** True if references are replaced by names of functions before comparison. */
  grounded: boolean
  error?: string
}

/** Reads an answer as the family's parser does. */
export function readReleased(text: string, family: AnswerFamily): ReleasedAnswer {
  try {
    const { elements, grounded = true, error } = parsers[family](text)
    return { elements, grounded, ...(error !== undefined && { error }) }
  } catch (error) {
    if (error instanceof UnreadableError) return { elements: [], grounded: true, error: error.message }
    throw error
  }
}

type ParsedAnswer = { elements: PyValue[]; grounded?: boolean; error?: string }

const fail = (says: string): never => {
  throw new UnreadableError(says, 0)
}
const hasLabelWord = (text: string) => text.includes('label')

/** Lists the elements that iterating a parsed value yields: an object's keys, a text's characters. */
function iterateParsed(value: PyValue, grounded: boolean): ParsedAnswer {
  if (Array.isArray(value)) return { elements: value, grounded }
  if (isDict(value)) return { elements: [...value.keys()], grounded }
  return typeof value === 'string' ? { elements: [...value], grounded } : fail('no list')
}

/** Python's white space, which is not JavaScript's: U+FEFF is none, some control characters are. */
const isSpace = (char: string) =>
  /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/.test(char)
function stripQuotes(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && isSpace(text[from]!)) from++
  while (to > from && isSpace(text[to - 1]!)) to--
  return text.slice(from, to)
}

function parseLlama(answer: string): ParsedAnswer {
  let text = stripQuotes(answer)
  if (text.endsWith("'")) text = text.slice(0, -1)
  if (!text.startsWith('[')) text = `[${text}`
  if (!text.endsWith(']')) text += ']'
  return iterateParsed(readWhole(text), hasLabelWord(answer))
}

const parseGranite = (answer: string): ParsedAnswer =>
  iterateParsed(
    readWhole(answer.replaceAll('<|tool_call|>', '').replaceAll('<tool_call>', '')),
    hasLabelWord(answer),
  )
const parsePlain = (answer: string): ParsedAnswer => iterateParsed(readWhole(answer), hasLabelWord(answer))

function parseHammer(answer: string): ParsedAnswer {
  const parsed = iterateParsed(readWhole(answer.replaceAll('```', '')), true)
  return parsed.elements.length === 0 ? fail('an empty list') : parsed
}

/** The released code has no parser for GPT models, which answer with JSON, often in a fence. */
function parseGpt(answer: string): ParsedAnswer {
  const text = stripQuotes(answer)
  const fenced = /^```(?:json)?\n/.exec(text)
  const isFenced = fenced && text.endsWith('```')
  return iterateParsed(readWhole(isFenced ? text.slice(fenced[0].length, -3) : text), true)
}

function parseMistral(answer: string): ParsedAnswer {
  try {
    return iterateParsed(readWhole(answer), true)
  } catch {
    return iterateParsed(readWhole(answer.replaceAll('\n', '').replaceAll('\\_', '_')), true)
  }
}

function parseHermes(answer: string): ParsedAnswer {
  const bare = 'tool_call\n{'
  const text = answer.startsWith(bare) ? answer.replaceAll(bare, `<${bare.replace('\n', '>\n')}`) : answer
  const [open, close] = ['<tool_call>', '</tool_call>']
  const elements: PyValue[] = []
  for (let from = text.indexOf(open); from >= 0;) {
    const to = text.indexOf(close, from)
    if (to < 0) break
    try {
      elements.push(readWhole(text.slice(from + open.length, to)))
    } catch {
      // Text between the tags that is no JSON is skipped.
    }
    from = text.indexOf(open, to)
  }
  return elements.length === 0 ? fail('no call between tags') : { elements }
}

function parseXlam(answer: string): ParsedAnswer {
  const value = readWhole(answer.replaceAll(/\[(?:BEGIN|END) OF [A-Z ]{1,40}\]/g, ''))
  const calls = getPyMember(value, 'tool_calls')
  return calls === undefined ? fail('no `tool_calls`') : iterateParsed(calls, true)
}

const isResult = (element: PyValue) => getPyMember(element, 'name') === 'var_result'

function parseGranite20b(answer: string): ParsedAnswer {
  const parts = answer.replaceAll('ASSISTANT', '').split('<function_call>')
  const elements = parts.filter((part) => part !== '').map((part) => readWhole(part))
  return { elements: elements.filter((element) => !isResult(element)) }
}

function parseLlama70b(answer: string): ParsedAnswer {
  let value: PyValue
  try {
    value = readWhole(answer)
  } catch {
    return parseBracketed(answer)
  }
  const { elements } = iterateParsed(value, true)
  return { elements: elements.filter((element) => !isResult(element)), grounded: true }
}

/** `[f(a=1, b="x"), g(c=2)]`, split by signs: names keep a leading blank, values are texts. */
function parseBracketed(answer: string): ParsedAnswer {
  const elements: PyValue[] = []
  const broken = (error: string): ParsedAnswer => ({ elements, grounded: false, error })
  if (!answer.startsWith('[') || !answer.endsWith(']')) return broken('there is no list in brackets')
  const pieces = answer.slice(1, -1).split('),')
  for (const [at, piece] of pieces.entries()) {
    const open = piece.indexOf('(')
    if (open < 0) return broken('a call without brackets')
    const inner = piece.slice(open + 1)
    const args = new PyDict()
    for (const argument of splitArguments(
      at === pieces.length - 1 && inner.endsWith(')') ? inner.slice(0, -1) : inner,
    )) {
      const [key, raw] = argument.split('=')
      if (raw === undefined) return broken('an argument without =')
      args.set(key!, removeQuotes(raw))
    }
    elements.push(
      new PyDict([
        ['name', piece.slice(0, open)],
        ['arguments', args],
      ] as [PyValue, PyValue][]),
    )
  }
  return { elements, grounded: false }
}
/** At commas outside double quotes; the character after a comma is skipped unseen. */
function splitArguments(text: string): string[] {
  const parts: string[] = []
  let start = 0
  let inQuotes = false
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') inQuotes = !inQuotes
    else if (text[at] === ',' && !inQuotes) {
      parts.push(text.slice(start, at))
      start = at + 2
      at++
    }
  }
  return [...parts, text.slice(start)]
}
function removeQuotes(text: string): string {
  let value = text
  for (const quote of ["'", '"']) {
    if (value.startsWith(quote)) value = value.slice(1)
    if (value.endsWith(quote)) value = value.slice(0, -1)
  }
  return value.replaceAll('"', "'")
}

const parsers: Readonly<Record<AnswerFamily, (answer: string) => ParsedAnswer>> = {
  llama: parseLlama,
  granite: parseGranite,
  'granite-3.0': parsePlain,
  'granite-20b': parseGranite20b,
  deepseek: parsePlain,
  hammer: parseHammer,
  mistral: parseMistral,
  hermes: parseHermes,
  xlam: parseXlam,
  'llama-3-70b': parseLlama70b,
  toolace: (answer) => ({ elements: parseToolaceCalls(answer) }),
  gpt: parseGpt,
}
