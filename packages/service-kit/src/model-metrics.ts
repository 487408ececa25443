/**
 * Metrics and telemetry of questions to models. A project's model names are private, so no label has them.
 * Spans have them only if operators request names, because metrics and traces belong to operators.
 */
import type { Attributes } from '@opentelemetry/api'
import type { ModelSettings } from '@stateeval/contracts'
import { Counter, Histogram } from 'prom-client'
import type { ServiceMetrics } from './metrics.ts'
import { genAi, genAiMetrics } from './tracing/gen-ai.ts'
import type { TelemetryExport } from './tracing/telemetry.ts'
import { getCurrentSpan } from './tracing/tracer.ts'

/** How asking one question ended, retries included. */
interface AskedQuestion {
  outcome: 'done' | 'refused' | 'failed'
  settings: ModelSettings
  refusal?: string
  finish?: string
  seconds: number
  retries: number
  promptTokens: number
  completionTokens: number
  /** null where the model has no prices. */
  costUsd: number | null
}

/** Returns the function that counts each question to an endpoint. */
export function createModelMetrics(
  { registry }: ServiceMetrics,
  telemetry: TelemetryExport,
): (question: AskedQuestion) => void {
  const registers = [registry]
  const seconds = new Histogram({
    name: 'stateeval_model_question_duration_seconds',
    help: 'Duration of a question to a model until the answer or the final failure, including queueing and retries',
    labelNames: ['outcome'],
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 180, 600],
    registers,
  })
  const retries = new Counter({
    name: 'stateeval_model_retries_total',
    help: 'Retried requests to models',
    registers,
  })
  const tokens = new Counter({
    name: 'stateeval_model_tokens_total',
    help: 'Tokens as endpoints reported them',
    labelNames: ['direction'],
    registers,
  })
  const cost = new Counter({
    name: 'stateeval_model_cost_dollars_total',
    help: 'Cost of answers in US dollars, for models with prices',
    registers,
  })
  return (question) => {
    recordQuestion(question, telemetry)
    seconds.observe({ outcome: question.outcome }, question.seconds)
    retries.inc(question.retries)
    tokens.inc({ direction: 'prompt' }, question.promptTokens)
    tokens.inc({ direction: 'completion' }, question.completionTokens)
    cost.inc(question.costUsd ?? 0)
  }
}

const operations = { chat: 'chat', completions: 'text_completion', embeddings: 'embeddings' } as const

/** A span and measurements by the conventions for generative AI. */
function recordQuestion(question: AskedQuestion, telemetry: TelemetryExport): void {
  const { outcome, settings, seconds, retries, promptTokens, completionTokens, refusal, finish } = question
  const operation = operations[settings.api ?? 'chat']
  const error = outcome === 'done' ? undefined : (refusal ?? outcome)
  const common: Attributes = {
    [genAi.operation]: operation,
    // The API's author; only the host and the model tell who runs the endpoint.
    [genAi.provider]: 'openai',
    [genAi.requestModel]: settings.model,
    ...describeServer(settings),
    ...(error !== undefined && { [genAi.errorType]: error }),
  }
  getCurrentSpan()?.part(
    operation,
    seconds * 1000,
    {
      ...common,
      ...describeRequested(settings),
      ...(outcome === 'done' && {
        [genAi.inputTokens]: promptTokens,
        [genAi.outputTokens]: completionTokens,
      }),
      ...(finish !== undefined && { [genAi.finishReasons]: [finish] }),
      'stateeval.retries': retries,
    },
    { kind: 'client', subject: settings.model, error },
  )
  telemetry.measure(genAiMetrics.duration, seconds, common)
  if (outcome !== 'done') return
  telemetry.measure(genAiMetrics.tokens, promptTokens, { ...common, [genAi.tokenType]: 'input' })
  telemetry.measure(genAiMetrics.tokens, completionTokens, { ...common, [genAi.tokenType]: 'output' })
}

function describeServer({ baseUrl }: ModelSettings): Attributes {
  if (!URL.canParse(baseUrl)) return {}
  const { hostname, port, protocol } = new URL(baseUrl)
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  return { [genAi.serverAddress]: hostname, [genAi.serverPort]: number }
}

const parameterNames = {
  temperature: genAi.temperature,
  top_p: genAi.topP,
  max_tokens: genAi.maxTokens,
  seed: genAi.seed,
} as const

const describeRequested = ({ parameters = {} }: ModelSettings): Attributes =>
  Object.fromEntries(
    Object.entries(parameterNames).flatMap(([name, attribute]) => {
      const value = parameters[name]
      return typeof value === 'number' ? [[attribute, value]] : []
    }),
  )
