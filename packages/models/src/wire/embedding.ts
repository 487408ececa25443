/**
 * Embeddings: one text to its vector. The vector is JSON text like any other answer, so it is stored and
 * recorded alike.
 */
import type { ModelSettings } from '@stateeval/contracts'
import type { EndpointConnection } from '../endpoint.ts'
import { UnusableResponse } from '../classify.ts'
import { estimatePromptTokens } from '../estimate.ts'
import type { ModelAnswer, ModelRequest } from '../request.ts'
import { describeMissingAnswer } from './answer.ts'
import { readValues } from './body.ts'
import { toMembers } from './members.ts'
import { count } from './usage.ts'

/** More numbers than any model's vectors have. */
const maxDimensions = 20_000

export async function askEmbedding(
  { client, hide }: EndpointConnection,
  { model, parameters }: ModelSettings,
  request: ModelRequest,
  { signal }: { signal: AbortSignal },
): Promise<ModelAnswer> {
  const input = request.messages.map(({ content }) => content).join('\n\n')
  const body = { ...parameters, model, input, encoding_format: 'float' as const }
  const response = await client.embeddings.create(body, { signal }).asResponse()
  const { embedding: vector, usage } = await read(response)
  const promptCount = count(usage) ?? 0
  return {
    text: hide(JSON.stringify(vector)),
    finish: 'stop',
    usage: {
      requests: 1,
      promptTokens: promptCount === 0 ? estimatePromptTokens(request) : promptCount,
      completionTokens: 0,
      ...(promptCount === 0 && { estimated: 1 }),
    },
  }
}

async function read(response: Response): Promise<{ embedding: number[]; usage: unknown }> {
  let body: unknown
  for await (const part of readValues(response)) if ('value' in part) body ??= part.value
  const { data, usage } = toMembers(body)
  const { embedding: given } = toMembers(Array.isArray(data) ? data[0] : undefined)
  const vector = typeof given === 'string' ? decodeNumbersBase64(given) : given
  if (!isVector(vector)) throw describeMissingAnswer(body, 'data[0].embedding')
  if (vector.every((part) => part === 0))
    throw new UnusableResponse('the endpoint answered with a vector of zeros, which is similar to nothing')
  return { embedding: vector, usage: toMembers(usage)['prompt_tokens'] }
}

/** Some servers answer in base64 whatever is asked for: floats of 32 bits, the lowest byte first. */
function decodeNumbersBase64(base64: string): number[] | null {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length % 4 !== 0 || bytes.length > 4 * maxDimensions) return null
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at))
}

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxDimensions &&
  value.every((part) => typeof part === 'number' && Number.isFinite(part))
