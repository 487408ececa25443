/**
 * What /metrics and traces show of questions to models. Names of models are a project's own, so no label has
 * them, and no span: metrics and traces are the operators'.
 */
import { Counter, Histogram } from 'prom-client'
import type { Metrics } from './metrics.ts'
import { currentSpan } from './tracing/tracer.ts'

/** How asking one question ended, retries included. */
interface Asked {
  outcome: 'done' | 'refused' | 'failed'
  seconds: number
  retries: number
  promptTokens: number
  completionTokens: number
  /** null where the model has no prices. */
  costUsd: number | null
}

/** Gives the function that takes down each question that went to an endpoint. */
export function modelMetrics({ registry }: Metrics): (question: Asked) => void {
  const registers = [registry]
  const seconds = new Histogram({
    name: 'stateeval_model_question_duration_seconds',
    help: 'Time until a question to a model was answered or given up, waiting for its turn and retries included',
    labelNames: ['outcome'],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 180, 600],
    registers,
  })
  const retries = new Counter({
    name: 'stateeval_model_retries_total',
    help: 'Requests to models that were sent again',
    registers,
  })
  const tokens = new Counter({
    name: 'stateeval_model_tokens_total',
    help: 'Tokens that endpoints charged, as they reported them',
    labelNames: ['direction'],
    registers,
  })
  const cost = new Counter({
    name: 'stateeval_model_cost_dollars_total',
    help: 'US dollars that answers cost, of models with prices',
    registers,
  })
  return (question) => {
    currentSpan()?.part('model', question.seconds * 1000, {
      'model.outcome': question.outcome,
      'model.retries': question.retries,
      'model.tokens.prompt': question.promptTokens,
      'model.tokens.completion': question.completionTokens,
    })
    seconds.observe({ outcome: question.outcome }, question.seconds)
    retries.inc(question.retries)
    tokens.inc({ direction: 'prompt' }, question.promptTokens)
    tokens.inc({ direction: 'completion' }, question.completionTokens)
    cost.inc(question.costUsd ?? 0)
  }
}
