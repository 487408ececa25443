/**
 * An answer as a careful reader takes it: JSON lists in prose or fences, lone objects and wrapped ones,
 * Python literals, brackets too many or too few, calls in Python's syntax or in the notation of a model
 * family, an answer that breaks off. Each character is read a bounded number of times.
 */
import type { ListedCall, ModelToolCall } from '@stateeval/contracts'
import { readCalls, readText, type WrittenCall } from '@stateeval/answers'
import { readFromPosition, UnreadableError } from '../python/read.ts'
import { isDict, type PyValue } from '../python/value.ts'
import { isResultName, stripDollars } from '../references.ts'
import {
  type ReadingContext,
  formatArguments,
  type CallCandidate,
  findCandidate,
  type ReadCall,
} from './call-objects.ts'
import { CallExpressions } from './expressions.ts'

type SoundReading = { calls: ListedCall[]; note?: string } | { none: 'prose' | 'no answer' | 'an empty list' }

/** More calls are not read. */
const maxCalls = 10_000

/** Facts about the case: the labels that its prompt gives, and its APIs. */
export interface CaseHints {
  labelAt?: (n: number) => string
  isApi?: (name: string) => boolean
}

export function readSoundly(
  answer: string,
  toolCalls: readonly ModelToolCall[] = [],
  { labelAt = (n) => `$var_${n}`, isApi = () => false }: CaseHints = {},
): SoundReading {
  if (toolCalls.length > 0)
    return {
      calls: toolCalls
        .slice(0, maxCalls)
        .map(({ name, arguments: args }, at) => ({ name, label: labelAt(at + 1), arguments: args })),
    }
  const written = readCalls(answer).map(callWritten)
  if (written.length > 0) return { calls: labelCalls(written, labelAt) }
  const text = readText(answer)
  if (text === null || text.trim() === '') return { none: 'no answer' }
  const all = listAllCandidates(text, { text, isApi })
  const list = chooseCandidate(all)
  if (!list) return { none: all.some(({ isEmpty }) => isEmpty) ? 'an empty list' : 'prose' }
  const calls = labelCalls(list.calls, labelAt)
  if (calls.length === 0) return { none: 'an empty list' }
  return { calls, ...(list.cut && { note: 'the list is incomplete' }) }
}

/** Reads a call. Broken parts of its arguments stay as they are, for the judge to see. */
function callWritten({ name, arguments: text }: WrittenCall): ReadCall {
  let args: PyValue | undefined
  try {
    args = readFromPosition(text, 0).value
  } catch {
    // No object: its text stands in its place.
  }
  return { name, arguments: (isDict(args) ? formatArguments(args, text) : null) ?? text, isWeak: false }
}

/**
 * A call without a label gets the one of its place, as prompts number them. What may be a label, such as the
 * id of a chat's call, is one where a reference leads to it.
 */
function labelCalls(read: readonly ReadCall[], labelAt: (n: number) => string): ListedCall[] {
  const calls = read.filter(({ name }) => !isResultName(name)).slice(0, maxCalls)
  const named = new Set<string>()
  for (const { arguments: args } of calls)
    for (const [, word] of args.matchAll(/[$#]\{?([\p{L}\p{N}_-]+)/gu)) named.add(word!)
  return calls.map(({ name, label, mayBeLabel, arguments: args }, at) => ({
    name,
    label:
      label ??
      (mayBeLabel !== undefined && named.has(stripDollars(mayBeLabel)) ? mayBeLabel : labelAt(at + 1)),
    arguments: args,
  }))
}

/** Reading may begin anew within what was no value, for as many times the characters of the text. */
const maxReading = 8

/** All lists, lone objects and call expressions, in order. */
function listAllCandidates(text: string, about: ReadingContext): CallCandidate[] {
  const found: CallCandidate[] = []
  const expressions = new CallExpressions(text, about.isApi)
  let left = maxReading * text.length
  for (let at = 0; at < text.length;) {
    if (isBeginning(text, at)) {
      try {
        const { value, end } = readFromPosition(text, at)
        const one = findCandidate(value, about)
        if (one) found.push(one)
        at = end
        continue
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error
        const { partial } = error
        const one = partial === undefined ? null : findCandidate(partial, about)
        if (one && one.calls.length > 0) found.push({ ...one, cut: true })
        const end = Math.max(at + 1, error.at)
        left -= end - at
        // A bracket of the prose, such as one before a quote without an end, hides nothing behind it.
        if (hasObject(partial) || left < 0) {
          at = end
          continue
        }
      }
    }
    const expression = expressions.at(at)
    if (expression) {
      found.push(expression.found)
      at = expression.end
    } else at++
  }
  return joinCandidates(found)
}
const hasObject = (value: PyValue | undefined): boolean =>
  isDict(value) || (Array.isArray(value) && value.some(hasObject))

/** Tells whether a list or an object may begin here, by the sign behind its bracket. */
function isBeginning(text: string, at: number): boolean {
  const char = text[at]
  if (char === '[') return !/[A-EG-MO-SU-Zac-eg-mo-su-z]/.test(text[at + 1] ?? '')
  return char === '{' && !'{[('.includes(text[at + 1] ?? ' ')
}

/** The calls of one list in Python's syntax are read one by one. */
function joinCandidates(found: readonly CallCandidate[]): CallCandidate[] {
  const all: CallCandidate[] = []
  for (const one of found) {
    const last = all.at(-1)
    if (one.follows && last) last.calls.push(...one.calls)
    else all.push(one)
  }
  return all
}

/**
 * Chooses the last list: a model that corrects itself writes its answer anew. Lists whose
 * labels continue each other, and lone objects in a row, are one list. Results and prose that look like calls
 * count only where nothing else does, and calls in Python's syntax only where there are no objects.
 */
function chooseCandidate(all: readonly CallCandidate[]): CallCandidate | null {
  const lists = preferCandidate(
    preferCandidate(
      all.filter(({ calls }) => calls.length > 0),
      ({ calls }) => calls.some(({ isWeak }) => !isWeak),
    ),
    ({ isExpression }) => !isExpression,
  )
  if (lists.length <= 1) return lists[0] ?? null
  const last = lists.findLastIndex(({ lone }) => !lone)
  if (last < 0 || isContinuing(lists)) {
    return {
      calls: lists.flatMap(({ calls }) => calls),
      lone: false,
      isEmpty: false,
      cut: lists.some(({ cut }) => cut),
    }
  }
  return lists[last]!
}
const preferCandidate = (
  lists: readonly CallCandidate[],
  isBetter: (one: CallCandidate) => boolean,
): readonly CallCandidate[] => (lists.some(isBetter) ? lists.filter(isBetter) : lists)

function isContinuing(lists: readonly CallCandidate[]): boolean {
  const labels = new Set<string>()
  for (const { calls } of lists)
    for (const { label } of calls) {
      if (label === undefined || labels.has(label)) return false
      labels.add(label)
    }
  return true
}
