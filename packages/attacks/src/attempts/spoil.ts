/** Honest answers that are wrong, so that the honest rate is known. */
import { type AnswerContent, type AnswerForm, listReplies, changeCode } from './attempt.ts'

const wrongResult = '"a wrong RESULT"'
const wrongArguments = '{"wrong":"wrong"}'
/** The same calls with another RESULT; and none of the calls, for kinds that compare no RESULT. */
const spoilCode = (content: AnswerContent): AnswerContent[] => [
  changeCode(content, (code) => `${code}\nRESULT = ${wrongResult}`),
  changeCode(content, () => `RESULT = ${wrongResult}`),
]

/** Wrong arguments of the last calls, and no calls. */
function spoilDialogue(content: AnswerContent): AnswerContent[] {
  const replies = listReplies(content)
  const last = replies.findLastIndex(({ toolCalls }) => (toolCalls?.length ?? 0) > 0)
  const changed = replies.map((reply, at) =>
    at === last
      ? { ...reply, toolCalls: reply.toolCalls!.map((one) => ({ ...one, arguments: wrongArguments })) }
      : at > last
        ? { ...reply, text: 'wrong' }
        : reply,
  )
  return [{ replies: changed }, { replies: [{ text: 'wrong' }] }]
}

const spoilers: Record<AnswerForm, (content: AnswerContent) => AnswerContent[]> = {
  javascript: spoilCode,
  python: spoilCode,
  calls: () => [
    { answer: `[{"name": "wrong", "label": "$var_1", "arguments": ${wrongArguments}}]` },
    { answer: '[]' },
  ],
  dialogue: spoilDialogue,
}

/** The answer made wrong in two ways, in its own form. */
export const spoilAnswer = (content: AnswerContent, form: AnswerForm): AnswerContent[] =>
  spoilers[form](content)
