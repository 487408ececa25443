/**
 * Readers of a probe's answers. A finding that a weak may be the cause of is unknown, and no
 * fault of its endpoint.
 */
import { findLayout, listAnswerMarks, readText } from '@stateeval/answers'
import type { ProbeFinding } from '@stateeval/contracts'
import type { Answered } from '../asking/question.ts'
import { finishMeaning } from '../wire/finish.ts'
import { type Members, membersOf } from '../wire/members.ts'
import { thoughtMembers } from '../wire/reply.ts'

type OmitFromEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** A finding without its name and its remedy. */
export type FoundValue = OmitFromEach<ProbeFinding, 'id' | 'remedy'>
type FindingReader = (answers: readonly Answered[]) => FoundValue

const yes: FoundValue = { found: 'yes' }
const no = (how?: string, value?: string): FoundValue => ({
  found: 'no',
  ...(how !== undefined && { how }),
  ...(value !== undefined && { value }),
})
const unknown = (reason: string): FoundValue => ({ found: 'unknown', reason })
const cut = unknown('the answer was cut before it showed this')

/** A reader of the first answer. */
const ofFirst =
  (read: (answer: Answered) => FoundValue): FindingReader =>
  ([answer]) =>
    answer ? read(answer) : unknown('there is no answer')
const wasCut = ({ finish }: Answered) => finishMeaning(finish) === 'length'
const callsOf = ({ toolCalls = [] }: Answered) => toolCalls

export const isTaken: FindingReader = () => yes
export const isStreamed = ofFirst(({ facts }) => (facts?.isStreamed ? yes : no('ignored')))
export const hasUsage = ofFirst(({ reported }) => (reported.estimated ? no() : yes))
/** Tells whether a limit of tokens cut a long answer. */
export const isCut = ofFirst((answer) =>
  wasCut(answer)
    ? yes
    : // Half of the numbers, which takes more tokens than the limit.
      answer.text.includes('50')
      ? no('ignored')
      : unknown('the answer ended by itself'),
)
export const says = (word: string) =>
  ofFirst((answer) =>
    answer.text.includes(word)
      ? yes
      : wasCut(answer)
        ? cut
        : unknown('the model does not follow the system’s text'),
  )

function membersIn(text: string): Members {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return {}
  }
}
/** Tells whether the answer is a JSON object with a member. */
export const hasMember = (name: string) =>
  ofFirst((answer) =>
    Object.hasOwn(membersIn(readText(answer.text) ?? ''), name) ? yes : wasCut(answer) ? cut : no('ignored'),
  )

export const calls = (tool: string) =>
  ofFirst((answer) => {
    if (callsOf(answer).length > 0) return yes
    const layout = findLayout(answer.text, tool)
    if (layout !== null) return no('text', layout)
    return wasCut(answer) ? cut : unknown('the model answered in words, without a call')
  })
const ofCalls = (read: (answer: Answered) => FoundValue) =>
  ofFirst((answer) => (callsOf(answer).length > 0 ? read(answer) : unknown('there was no call')))
export const hasIds = ofCalls(({ facts }) => (facts?.hasIds ? yes : no()))
export const hasTypes = ofCalls(({ facts }) => (facts?.hasTypes ? yes : no()))
export const callsTogether = ofCalls((answer) => (callsOf(answer).length > 1 ? yes : no('one by one')))
/** Tells whether all calls are of the tool that the request names; it asks for another one. */
export const callsOnly = (name: string) =>
  ofCalls((answer) => (callsOf(answer).every((call) => call.name === name) ? yes : no('ignored')))

export const leftovers = ofFirst(({ text }) => {
  const { leftover } = listAnswerMarks(text)
  return leftover === null ? no() : { found: 'yes', how: 'text', value: leftover }
})
export const thoughts = ofFirst(({ text, vendor }) => {
  const { message = {} } = vendor ?? {}
  const member = thoughtMembers.find((name) => Object.hasOwn(message, name))
  const { thought } = listAnswerMarks(text)
  if (thought !== null) return { found: 'yes', how: 'text', value: thought }
  if (member !== undefined) return { found: 'yes', how: 'message', value: member }
  return Array.isArray(message['content']) ? { found: 'yes', how: 'message', value: 'content' } : no()
})

/** Tells whether all answers are the same. */
export const areEqual: FindingReader = (answers) => {
  const texts = answers.map(({ text }) => readText(text)?.trim() ?? '')
  if (texts.some((text) => text === '')) return answers.some(wasCut) ? cut : unknown('an answer has no text')
  return texts.every((text) => text === texts[0]) ? yes : no('ignored')
}
