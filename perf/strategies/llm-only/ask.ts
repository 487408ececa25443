/** Asks a model for programs, one a question, until there are enough (StateEval, section V-B). */
import type { Budget, Usage } from '@stateeval/contracts'
import {
  addUsage,
  answerKey,
  type Answers,
  type Ask,
  type NamedModel,
  noUsage,
  overBudget,
} from '@stateeval/models'
import { extract } from '../../../benchmarks/stateeval/answer/extract.ts'

interface Question<T> {
  model: NamedModel
  prompt: string
  /** Programs wanted, and questions at most. */
  programs: number
  queries: number
  /** What the code of an answer is, or why it can't be used. */
  read: (code: string) => T | { unusable: string }
}

export interface Asked<T> {
  /** In the order of the questions. */
  programs: T[]
  queries: number
  /** Answers without a usable program, by reason; questions without an answer stand apart. */
  unusable: Map<string, number>
  unanswered: number
  /** Why it ended before there were enough. */
  stopped: string | null
}

interface Asking {
  ask: Ask
  answers: Answers
  budget: Budget
  /** Used so far by questions that were not answered before. */
  usage: Usage
}
export const newAsking = (ask: Ask, answers: Answers, budget: Budget): Asking => ({
  ask,
  answers,
  budget,
  usage: noUsage,
})

type Answered = { text: string } | { failed: string } | { held: string }

/**
 * Every question is the same text: the model is given no help in making programs that differ. Its number is in the key that
 * its answer is kept under. Throws an error where no question would be answered: a wrong key, an unknown model, an endpoint that is down.
 */
export async function askForPrograms<T extends object>(
  asking: Asking,
  question: Question<T>,
): Promise<Asked<T>> {
  const { programs: count, queries: most, read } = question
  const result: Asked<T> = { programs: [], queries: 0, unusable: new Map(), unanswered: 0, stopped: null }
  const end = new AbortController()
  while (result.programs.length < count && result.stopped === null) {
    // As many as are missing, at the same time: none is asked in vain, and the order is that of their numbers.
    const round = Math.min(count - result.programs.length, most - result.queries)
    if (round === 0) {
      result.stopped = `${most} questions were asked`
      break
    }
    const answers = await Promise.all(
      Array.from({ length: round }, (_, n) => askOnce(asking, question, result.queries + n, end.signal)),
    ).catch((error: unknown) => {
      end.abort()
      throw error
    })
    for (const answer of answers) {
      if ('held' in answer) {
        result.stopped = answer.held
        continue
      }
      result.queries++
      if ('failed' in answer) {
        result.unanswered++
        continue
      }
      const extraction = extract(answer.text, 'javascript')
      const program = 'none' in extraction ? { unusable: 'holds no program' } : read(extraction.code)
      if ('unusable' in program)
        result.unusable.set(program.unusable, (result.unusable.get(program.unusable) ?? 0) + 1)
      else result.programs.push(program)
    }
  }
  return result
}

async function askOnce<T>(
  asking: Asking,
  { model, prompt }: Question<T>,
  sample: number,
  signal: AbortSignal,
): Promise<Answered> {
  const request = { messages: [{ role: 'user' as const, content: prompt }] }
  const key = answerKey(model.settings, request, sample)
  const cachedAnswer = await asking.answers.get(key)
  if (cachedAnswer) return { text: cachedAnswer.text }
  const before = async () => overBudget(asking.budget, asking.usage, model.settings.prices)
  const reply = await asking.ask(model, { ...request, before }, signal)
  if (reply.status === 'failed') return { failed: reply.reason }
  if (reply.status === 'refused') {
    if (reply.kind === 'held') return { held: reply.reason }
    throw new Error(`${model.name}: ${reply.reason}`)
  }
  const { text, finish, usage, retries } = reply
  asking.usage = addUsage(asking.usage, usage)
  return {
    text: (await asking.answers.put(key, { key, by: 'bench coverage', text, finish, usage, retries })).text,
  }
}
