/**
 * Readers of a probe's answers. Where a weak model may be the cause, the finding is unknown: the endpoint is
 * not at fault.
 */
import { findLayout, listAnswerMarks, readText } from '@stateeval/answers'
import type { ProbeFinding } from '@stateeval/contracts'
import type { AnsweredQuestion } from '../asking/question.ts'
import { finishMeaning } from '../wire/finish.ts'
import { type WireMembers, toMembers } from '../wire/members.ts'
import { thoughtMembers } from '../wire/reply.ts'

type OmitFromEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
/** A finding without its name and its remedy. */
export type FoundValue = OmitFromEach<ProbeFinding, 'id' | 'remedy'>
type FindingReader = (answers: readonly AnsweredQuestion[]) => FoundValue

const yes: FoundValue = { found: 'yes' }
const answerNo = (how?: string, value?: string): FoundValue => ({
  found: 'no',
  ...(how !== undefined && { how }),
  ...(value !== undefined && { value }),
})
const answerUnknown = (reason: string): FoundValue => ({ found: 'unknown', reason })
const cut = answerUnknown('the answer was cut before it showed this')

/** A reader of the first answer. */
const ofFirst =
  (read: (answer: AnsweredQuestion) => FoundValue): FindingReader =>
  ([answer]) =>
    answer ? read(answer) : answerUnknown('there is no answer')
const isCutAnswer = ({ finish }: AnsweredQuestion) => finishMeaning(finish) === 'length'
const getCalls = ({ toolCalls = [] }: AnsweredQuestion) => toolCalls

export const isTaken: FindingReader = () => yes
export const isStreamed = ofFirst(({ facts }) => (facts?.isStreamed ? yes : answerNo('ignored')))
export const hasUsage = ofFirst(({ reported }) => (reported.estimated ? answerNo() : yes))
/** Tells whether a limit of tokens cut a long answer. */
export const isCut = ofFirst((answer) =>
  isCutAnswer(answer)
    ? yes
    : // Half of the numbers, which takes more tokens than the limit.
      answer.text.includes('50')
      ? answerNo('ignored')
      : answerUnknown('the answer ended by itself'),
)
export const findWord = (word: string) =>
  ofFirst((answer) =>
    answer.text.includes(word)
      ? yes
      : isCutAnswer(answer)
        ? cut
        : answerUnknown('the model does not follow the system’s text'),
  )

function parseMembers(text: string): WireMembers {
  try {
    return toMembers(JSON.parse(text))
  } catch {
    return {}
  }
}
/** Tells whether the answer is a JSON object with a member. */
export const hasMember = (name: string) =>
  ofFirst((answer) =>
    Object.hasOwn(parseMembers(readText(answer.text) ?? ''), name)
      ? yes
      : isCutAnswer(answer)
        ? cut
        : answerNo('ignored'),
  )

export const findCallAnswer = (tool: string) =>
  ofFirst((answer) => {
    if (getCalls(answer).length > 0) return yes
    const layout = findLayout(answer.text, tool)
    if (layout !== null) return answerNo('text', layout)
    return isCutAnswer(answer) ? cut : answerUnknown('the model answered in words, without a call')
  })
const readCalls = (read: (answer: AnsweredQuestion) => FoundValue) =>
  ofFirst((answer) => (getCalls(answer).length > 0 ? read(answer) : answerUnknown('there was no call')))
export const hasIds = readCalls(({ facts }) => (facts?.hasIds ? yes : answerNo()))
export const hasTypes = readCalls(({ facts }) => (facts?.hasTypes ? yes : answerNo()))
export const callsTogether = readCalls((answer) =>
  getCalls(answer).length > 1 ? yes : answerNo('one by one'),
)
/** Tells whether all calls are of the tool that the request names, although the text asks for another one. */
export const findForeignCalls = (name: string) =>
  readCalls((answer) => (getCalls(answer).every((call) => call.name === name) ? yes : answerNo('ignored')))

export const leftovers = ofFirst(({ text }) => {
  const { leftover } = listAnswerMarks(text)
  return leftover === null ? answerNo() : { found: 'yes', how: 'text', value: leftover }
})
export const thoughts = ofFirst(({ text, vendor }) => {
  const { message = {} } = vendor ?? {}
  const member = thoughtMembers.find((name) => Object.hasOwn(message, name))
  const { thought } = listAnswerMarks(text)
  if (thought !== null) return { found: 'yes', how: 'text', value: thought }
  if (member !== undefined) return { found: 'yes', how: 'message', value: member }
  return Array.isArray(message['content']) ? { found: 'yes', how: 'message', value: 'content' } : answerNo()
})

/** Tells whether all answers are the same. */
export const areEqual: FindingReader = (answers) => {
  const texts = answers.map(({ text }) => readText(text)?.trim() ?? '')
  if (texts.some((text) => text === ''))
    return answers.some(isCutAnswer) ? cut : answerUnknown('an answer has no text')
  return texts.every((text) => text === texts[0]) ? yes : answerNo('ignored')
}
