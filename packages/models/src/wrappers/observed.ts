/** Reports each question: how it ended, its duration, its usage. This never changes an answer. */
import type { ModelSettings } from '@stateeval/contracts'
import { computeCostUsd } from '../cost.ts'
import type { AskModel } from '../request.ts'

export interface AskedQuestion {
  outcome: 'done' | 'refused' | 'failed'
  settings: ModelSettings
  /** Why it was refused. */
  refusal?: string
  /** Why the model stopped. */
  finish?: string
  seconds: number
  retries: number
  promptTokens: number
  completionTokens: number
  /** null where the model has no prices. */
  costUsd: number | null
}

interface ObservedTools {
  /** Milliseconds, monotonic. */
  clock: () => number
  observe: (question: AskedQuestion) => void
}

export const observed =
  (ask: AskModel, { clock, observe }: ObservedTools): AskModel =>
  async (model, request, signal) => {
    const from = clock()
    const reply = await ask(model, request, signal)
    const { promptTokens = 0, completionTokens = 0 } = reply.status === 'done' ? reply.usage : {}
    observe({
      outcome: reply.status,
      settings: model.settings,
      ...(reply.status === 'refused' && { refusal: reply.kind }),
      ...(reply.status === 'done' && { finish: reply.finish }),
      seconds: (clock() - from) / 1000,
      retries: reply.retries,
      promptTokens,
      completionTokens,
      costUsd: reply.status === 'done' ? computeCostUsd(reply.usage, model.settings.prices) : 0,
    })
    return reply
  }
