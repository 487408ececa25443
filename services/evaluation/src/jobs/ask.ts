/** Asks a model. A queue of its own: slow models never hold up steps, and an answer that is stored is not paid for twice. */
import { type Message, type ModelSettings, subjects, type Usage } from '@stateeval/contracts'
import { type Job, Refusal } from '@stateeval/service-kit'
import type { EvaluationContext } from '../context.ts'

export interface Question {
  model: { name: string; settings: ModelSettings }
  messages: Message[]
}

export const askJob: Job<EvaluationContext, Question, { text: string; usage: Usage }> = {
  takes: subjects.ask,
  concurrency: 64,
  // The client has its own retries; what it gives up, the item's flow counts as not scored.
  attempts: 2,
  timeoutMs: 6 * 3_600_000,
  validate: (payload) => payload as Question,
  async handle({ model, messages }, { modelClient }, { signal }) {
    const reply = await modelClient.ask(model, { messages }, signal)
    if (reply.status === 'done') return { text: reply.text, usage: reply.usage }
    if (reply.status === 'refused') throw new Refusal(reply.reason)
    throw new Error(reply.reason)
  },
}
