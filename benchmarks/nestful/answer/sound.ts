/**
 * An answer as a careful reader takes it: JSON lists in prose or fences, lone objects and tagged ones, Python
 * literals, trailing commas, calls in Python's syntax, an answer that breaks off. Each character is read a
 * bounded number of times.
 */
import type { ListedCall, ModelToolCall } from '@stateeval/contracts'
import { readText } from '@stateeval/answers'
import { type CallExpression, ExpressionReader, maxComputedDigits } from '../python/expressions.ts'
import { readAt, readWhole, Unreadable } from '../python/read.ts'
import { Dict, isDict, jsonOf, type Py } from '../python/value.ts'
import { isResultName, withoutDollars } from '../references.ts'

export type SoundReading =
  | { calls: ListedCall[]; note?: string }
  | { none: 'prose' | 'no answer' | 'an empty list' }

/** More calls are not read. */
export const maxCalls = 10_000

export function readSoundly(
  answer: string,
  toolCalls: readonly ModelToolCall[] = [],
  labelAt: (n: number) => string = (n) => `$var_${n}`,
): SoundReading {
  const labelled = (calls: readonly ListedCall[]) => withLabels(calls, labelAt)
  if (toolCalls.length > 0) return { calls: labelled(toolCalls.slice(0, maxCalls).map(calledTool)) }
  const text = readText(answer)
  if (text === null || text.trim() === '') return { none: 'no answer' }
  const lists = listsIn(text)
  const list = chosenOf(lists)
  if (list) {
    const calls = labelled(list.calls.filter(({ name }) => !isResultName(name)).slice(0, maxCalls))
    return calls.length === 0
      ? { none: 'an empty list' }
      : { calls, ...(list.cut && { note: 'the list is incomplete' }) }
  }
  const expressions = expressionsIn(text)
  if (expressions.length > 0) return { calls: labelled(expressions.slice(0, maxCalls)) }
  return { none: lists.some(({ isEmpty }) => isEmpty) ? 'an empty list' : 'prose' }
}

const calledTool = ({ name, arguments: args }: ModelToolCall): ListedCall => ({ name, arguments: args })

/** Calls without a label get the one of their place, as prompts number them. */
const withLabels = (calls: readonly ListedCall[], labelAt: (n: number) => string): ListedCall[] =>
  calls.map((call, at) => ({ ...call, label: call.label ?? labelAt(at + 1) }))

interface Found {
  calls: ListedCall[]
  /** It was an object of its own, not a list. */
  lone: boolean
  isEmpty: boolean
  /** The text ended, or broke, within it. */
  cut: boolean
}

/** All lists and lone objects, in order. Reading goes on where it stopped, so the text is read once. */
function listsIn(text: string): Found[] {
  const lists: Found[] = []
  for (let at = 0; at < text.length;) {
    if (!begins(text, at)) {
      at++
      continue
    }
    try {
      const { value, end } = readAt(text, at)
      const one = foundIn(value, text, false)
      if (one) lists.push(one)
      at = end
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      const calls = error.before.flatMap((item) => callsIn(item, text) ?? [])
      if (calls.length > 0) lists.push({ calls, lone: false, isEmpty: false, cut: true })
      at = Math.max(at + 1, error.at)
    }
  }
  return lists
}

/** Whether a list or an object may begin here, by the sign behind its bracket. */
function begins(text: string, at: number): boolean {
  const char = text[at]
  if (char === '[') return !/[A-EG-MO-SU-Zac-eg-mo-su-z]/.test(text[at + 1] ?? '')
  return char === '{' && !'{[('.includes(text[at + 1] ?? ' ')
}

function foundIn(value: Py, text: string, cut: boolean): Found | null {
  const wrapped = isDict(value)
    ? (['tool_calls', 'calls', 'output', 'function_calls'] as const).map((key) => value.get(key))
    : []
  const list = Array.isArray(value) ? value : wrapped.find((member) => Array.isArray(member))
  if (Array.isArray(list)) {
    const calls = list.flatMap((item) => callsIn(item, text) ?? [])
    return calls.length > 0 || list.length === 0
      ? { calls, lone: false, isEmpty: list.length === 0, cut }
      : null
  }
  const calls = callsIn(value, text)
  return calls && { calls, lone: true, isEmpty: false, cut }
}

/** A call object in one of the usual forms; null where it is none. */
function callsIn(value: Py, text: string): ListedCall[] | null {
  if (!isDict(value)) return null
  const inner = value.get('function')
  const body = isDict(inner) ? inner : value
  const name =
    body.get('name') ?? body.get('api') ?? body.get('tool') ?? (typeof inner === 'string' ? inner : undefined)
  if (typeof name !== 'string') return null
  const args = body.get('arguments') ?? body.get('parameters') ?? body.get('args') ?? new Dict()
  const label = value.get('label') ?? value.get('id')
  const argumentText = isDict(args) ? ownText(args, text) : textOfArguments(args)
  return argumentText === null
    ? null
    : [{ name, ...(typeof label === 'string' && { label }), arguments: argumentText }]
}

/** The answer's own text of the arguments where it is JSON, else the same values as JSON. */
function ownText(args: Dict, text: string): string {
  const source = args.start < 0 ? '' : text.slice(args.start, args.end)
  try {
    if (source !== '' && isDict(readWhole(source))) return source
  } catch {
    // Python literals, trailing commas.
  }
  return jsonOf(args)
}
/** Some models write the arguments as a text that holds JSON. */
function textOfArguments(args: Py): string | null {
  if (args === null) return '{}'
  if (typeof args !== 'string') return null
  try {
    const value = readWhole(args, 'lenient')
    return isDict(value) ? jsonOf(value) : null
  } catch {
    return null
  }
}

/**
 * Of several lists the last one counts: a model that corrects itself writes its answer anew. Lists whose
 * labels continue each other, and lone objects in a row, are one list.
 */
function chosenOf(all: readonly Found[]): Found | null {
  const lists = all.filter(({ calls }) => calls.length > 0)
  if (lists.length <= 1) return lists[0] ?? null
  const last = lists.findLastIndex(({ lone }) => !lone)
  if (last < 0 || continues(lists)) {
    return {
      calls: lists.flatMap(({ calls }) => calls),
      lone: false,
      isEmpty: false,
      cut: lists.some(({ cut }) => cut),
    }
  }
  return lists[last]!
}
function continues(lists: readonly Found[]): boolean {
  const labels = new Set<string>()
  for (const { calls } of lists)
    for (const { label } of calls) {
      if (label === undefined || labels.has(label)) return false
      labels.add(label)
    }
  return true
}

/** Calls in Python's syntax: `[f(a=1), g(b="$var_1.x$")]`, or a statement on each line. */
function expressionsIn(text: string): ListedCall[] {
  const calls: ListedCall[] = []
  const labels = new Set<string>()
  const listed = ({ target, name, keywords, positional }: CallExpression, label?: string): ListedCall => {
    const args = new Dict([...keywords, ...positional.map((value, at): [Py, Py] => [`arg_${at}`, value])])
    const callLabel = target ?? label
    if (callLabel !== undefined) labels.add(callLabel)
    return { name, ...(callLabel !== undefined && { label: callLabel }), arguments: jsonOf(args) }
  }
  const reference = (name: string): Py => (labels.has(name.split(/[.[]/)[0]!) ? `$${name}$` : name)
  const meanings = {
    digitsLeft: maxComputedDigits,
    name: reference,
    attribute: reference,
    // A call within an argument is a call before it.
    call(call: CallExpression): Py {
      const label = `inner_${calls.length + 1}`
      calls.push(listed(call, label))
      return `$${label}$`
    },
  }
  const start =
    /(?:^|[[\n,;`])[ \t]*(?=[A-Za-z_][\w.-]{0,200}(?:[ \t]{0,9}=[ \t]{0,9}[A-Za-z_][\w.-]{0,200})?\()/g
  for (let at = 0; at < text.length;) {
    start.lastIndex = at
    const match = start.exec(text)
    if (!match) break
    const from = match.index + match[0].length
    const reader = new ExpressionReader(text, from, meanings)
    const before = calls.length
    try {
      // The calls within its arguments stand before it.
      const call = listed(reader.statement())
      calls.push(call)
      at = reader.at
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      calls.length = before
      at = Math.max(from, error.at)
    }
  }
  return calls
}

/** A label without dollar signs, as references name it. */
export const labelOf = ({ label }: ListedCall): string => withoutDollars(label ?? '')
