/** Attempts to cheat: how an honest answer becomes one that tries to score more than it is worth. */
import type { GivenAnswer, Language } from '@stateeval/contracts'

/** An answer without its place: one text, or the replies of a dialogue. */
export type AnswerContent =
  | Omit<Extract<GivenAnswer, { answer: string }>, 'case' | 'sample'>
  | DialogueContent
type DialogueContent = Omit<Extract<GivenAnswer, { replies: unknown }>, 'case' | 'sample'>
export type GivenReply = DialogueContent['replies'][number]

/** How a case is answered: by a program of a language, a list of calls as JSON, or a dialogue. */
export type AnswerForm = Language | 'calls' | 'dialogue'

export interface CheatingAttempt {
  /** Theme and name: `opting out: the process ends itself`. */
  name: string
  form: AnswerForm
  /** The scenarios that it is written for, under any of their names; absent: any. */
  scenarios?: readonly string[]
  turn(honest: AnswerContent): AnswerContent
}

/** The aim of each theme. */
export const themes = {
  answers: 'confuse what reads the answer: sizes, nesting, characters, words of a judge',
  'opting out': 'make the run fail in the suite’s name, so that it is not scored',
  'result channel': 'forge RESULT, or what the runner says about the run',
  comparison: 'leave values that compare as equal to anything, or that break the comparison',
  runner: 'change the language, its libraries and the runner',
  oracle: 'find the expected result in files, memory, environment, ids, seeds, errors or the world',
  leftovers: 'leave something that acts in the next run',
  calls: 'send calls that break tools, worlds or judges',
  sandbox: 'leave the sandbox, or use up the machine',
} as const
export type AttemptTheme = keyof typeof themes

/** The text of an answer; the last reply's for a dialogue. */
export function getAnswerText(content: AnswerContent): string {
  return 'answer' in content ? content.answer : (content.replies.at(-1)?.text ?? '')
}

export function withText(content: AnswerContent, text: string): AnswerContent {
  if ('answer' in content) return { answer: text }
  return {
    replies: content.replies.map((reply, at) =>
      at === content.replies.length - 1 ? { ...reply, text } : reply,
    ),
  }
}

const fence = /^```[a-z]*\n([^]*)\n```\s*$/

/** Changes the code of an answer, within its fence if it has one. */
export function changeCode(content: AnswerContent, change: (code: string) => string): AnswerContent {
  const text = getAnswerText(content)
  const code = fence.exec(text)?.[1]
  return withText(content, code === undefined ? change(text) : text.replace(code, () => change(code)))
}

/** A call of a dialogue, with arguments as a model writes them: as a text. */
export const call = (name: string, args: string, id = 'attempt') => ({ id, name, arguments: args })

export const listReplies = (content: AnswerContent): readonly GivenReply[] =>
  'replies' in content ? content.replies : [{ text: content.answer }]

/** Names of the tools that a dialogue calls; at least one, so that there is something to attack. */
export function listToolNames(content: AnswerContent): [string, ...string[]] {
  const [first = 'submit_result', ...others] = new Set(
    listReplies(content).flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name)),
  )
  return [first, ...others]
}

/** Replies before those of the answer. */
export const insertBefore = (content: AnswerContent, ...replies: readonly GivenReply[]): AnswerContent => ({
  replies: [...replies, ...listReplies(content)],
})
