/** An answer as each policy reads it. */
import type { ListedCall, ModelToolCall, AnswerReading } from '@stateeval/contracts'
import { listExecutedCalls, groundElements, type GroundedAnswer, keepUngrounded } from './answer/grounding.ts'
import { type AnswerFamily, readReleased } from './answer/released.ts'
import { type CaseHints, readSoundly } from './answer/sound.ts'
import { UnreadableError } from './python/read.ts'
import { readWhole } from './python/read.ts'
import { PyDict, isDict, type PyValue } from './python/value.ts'

export const policies = ['published', 'sound'] as const
export type NestfulPolicy = (typeof policies)[number]
/** The published policy compares a grounded list and executes the list as it was parsed. */
export const readingsOf = { published: 'published', run: 'published-run', sound: 'sound' } as const

/** Beyond as many calls nothing of an answer is read. */
const maxCalls = 10_000
const tooMany = `more than ${maxCalls} calls`

/**
 * Counts of the published policy besides its calls. The reading's `none` holds them as text, which
 * `readPublishedCounts` reads back.
 */
interface PublishedCounts {
  parsingError: boolean
  unreadable: number
  slotErrors: number
}
const buildNote = ({ unreadable, slotErrors }: GroundedAnswer): string | undefined =>
  unreadable + slotErrors === 0 ? undefined : `${unreadable} unreadable elements, ${slotErrors} slot errors`
export function readPublishedCounts({ none = '' }: Pick<AnswerReading, 'none'>): PublishedCounts {
  const [, unreadable = '0', slotErrors = '0'] =
    /^(\d+) unreadable elements, (\d+) slot errors/.exec(none) ?? []
  return {
    parsingError: none.startsWith('parsing error'),
    unreadable: Number(unreadable),
    slotErrors: Number(slotErrors),
  }
}

/** The readings in the order of `readingsOf`, before anything has run. */
export function readAnswer(
  text: string,
  toolCalls: readonly ModelToolCall[],
  { family, ...known }: { family: AnswerFamily; labelAt: LabelAt } & CaseHints,
): AnswerReading[] {
  return [...readPublished(text, toolCalls, { family, ...known }), readSound(text, toolCalls, known)]
}
/** The label of the n-th call, from 1, where a call has none. */
type LabelAt = (n: number) => string

function readPublished(
  text: string,
  toolCalls: readonly ModelToolCall[],
  { family, labelAt }: { family: AnswerFamily; labelAt: LabelAt },
): AnswerReading[] {
  const { elements, grounded, error } =
    toolCalls.length > 0
      ? {
          elements: toolCalls.map((call, at) => buildNativeElement(call, labelAt(at + 1))),
          grounded: true,
          error: undefined,
        }
      : readReleased(text, family)
  const [compared, run] = [readingsOf.published, readingsOf.run].map((policy) => ({ policy, run: null }))
  const failed = (says: string, ran: ListedCall[]): AnswerReading[] => [
    { ...compared!, calls: [], none: `parsing error: ${says}`.slice(0, 300) },
    { ...run!, calls: ran },
  ]
  if (elements.length > maxCalls) return failed(tooMany, [])
  try {
    const result = grounded ? groundElements(elements) : keepUngrounded(elements)
    const note = error === undefined ? buildNote(result) : `parsing error: ${error}`
    // The published parser keeps elements that it read before an error, so they count.
    return [
      { ...compared!, calls: result.calls, ...(note !== undefined && { none: note.slice(0, 300) }) },
      { ...run!, calls: listExecutedCalls(elements) },
    ]
  } catch (fault) {
    if (!(fault instanceof UnreadableError)) throw fault
    return failed(fault.says, listExecutedCalls(elements))
  }
}
/** A native call, numbered as the prompt says. */
function buildNativeElement({ name, arguments: text }: ModelToolCall, label: string): PyValue {
  let args: PyValue = null
  try {
    args = readWhole(text)
  } catch {
    // No JSON: the call has no arguments.
  }
  const members: [PyValue, PyValue][] = [
    ['name', name],
    ['label', label],
  ]
  return new PyDict(isDict(args) ? [...members, ['arguments', args]] : members)
}

function readSound(text: string, toolCalls: readonly ModelToolCall[], known: CaseHints): AnswerReading {
  const result = readSoundly(text, toolCalls, known)
  const reading = { policy: readingsOf.sound, run: null }
  if ('none' in result) return { ...reading, calls: [], none: result.none }
  return { ...reading, calls: result.calls, ...(result.note !== undefined && { none: result.note }) }
}
