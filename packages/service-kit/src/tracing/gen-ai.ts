/**
 * Names of OpenTelemetry’s semantic conventions for generative AI, version 1.45.0 (in development). They
 * are copied, as the conventions request from users of unstable ones; a test compares them.
 */
import type { Attributes } from '@opentelemetry/api'

const semanticConventions = '1.45.0'
export const schemaUrl = `https://opentelemetry.io/schemas/${semanticConventions}`

export const genAi = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  maxTokens: 'gen_ai.request.max_tokens',
  seed: 'gen_ai.request.seed',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  tokenType: 'gen_ai.token.type',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  evaluationName: 'gen_ai.evaluation.name',
  scoreValue: 'gen_ai.evaluation.score.value',
  scoreLabel: 'gen_ai.evaluation.score.label',
  explanation: 'gen_ai.evaluation.explanation',
  errorType: 'error.type',
  serverAddress: 'server.address',
  serverPort: 'server.port',
} as const
export const evaluationResult = 'gen_ai.evaluation.result'
export const genAiMetrics = {
  duration: 'gen_ai.client.operation.duration',
  tokens: 'gen_ai.client.token.usage',
} as const
/** Bucket boundaries recommended by the conventions. */
export const genAiBuckets = {
  [genAiMetrics.duration]: [
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
  ],
  [genAiMetrics.tokens]: [
    1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
  ],
}

/**
 * Attributes with names that projects choose: sent only where operators ask for names, as telemetry is
 * theirs.
 */
const ofProjects: ReadonlySet<string> = new Set([
  genAi.requestModel,
  genAi.serverAddress,
  genAi.serverPort,
  genAi.toolName,
  genAi.explanation,
  'stateeval.evaluation',
  'stateeval.case',
])

/** The attributes that may be sent. */
export const selectSendable = (attributes: Attributes, names: boolean): Attributes =>
  names
    ? attributes
    : Object.fromEntries(Object.entries(attributes).filter(([name]) => !ofProjects.has(name)))
