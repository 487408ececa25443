/**
 * Embeddings: one text to its vector. The vector is JSON text like any other answer, so it is stored and
 * recorded alike.
 */
import type { ModelSettings } from '@stateeval/contracts'
import type { CreateEmbeddingResponse } from 'openai/resources/embeddings'
import type { Connection } from '../endpoint.ts'
import { promptTokens } from '../estimate.ts'
import type { ModelAnswer, ModelRequest } from '../request.ts'
import { count, withoutAnswer } from './answer.ts'

/** More numbers than any model's vectors have. */
const maxDimensions = 20_000

export async function embedding(
  { client, hide }: Connection,
  { model, parameters }: ModelSettings,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const input = request.messages.map(({ content }) => content).join('\n\n')
  const body = { ...parameters, model, input, encoding_format: 'float' as const }
  const response = await client.embeddings.create(body, { signal })
  const { embedding: vector, usage } = read(response)
  return {
    text: hide(JSON.stringify(vector)),
    finish: 'stop',
    usage: { requests: 1, promptTokens: count(usage, promptTokens(request)), completionTokens: 0 },
  }
}

function read(body: CreateEmbeddingResponse | string): { embedding: number[]; usage: unknown } {
  const vector = typeof body === 'object' ? body.data?.[0]?.embedding : undefined
  if (typeof body === 'string' || !isVector(vector)) throw withoutAnswer(body, 'data[0].embedding')
  return { embedding: vector, usage: body.usage?.prompt_tokens }
}

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxDimensions &&
  value.every((part) => typeof part === 'number' && Number.isFinite(part))
