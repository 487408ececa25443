/** Raw completions for base models: the plain text of the messages, without a template. */
import type { ModelSettings } from '@stateeval/contracts'
import type { EndpointConnection } from '../endpoint.ts'
import type { ModelAnswer, ModelRequest } from '../request.ts'
import { readAnswer } from './reply.ts'
import type { UsageListener } from './usage.ts'

/** Endpoints take 16 where nothing is said, which is no program. */
const defaultMaxTokens = 1024

/** A model continues right behind the text: nothing comes after it but the prefix, where one is set. */
const buildPrompt = ({ messages }: ModelRequest, { prefix = '' }: Pick<ModelSettings, 'prefix'>) =>
  [...messages.map(({ content }) => content), ...(prefix === '' ? [] : [prefix])].join('\n\n')

/** The part of a request that plain text cannot express; null if there is none. */
export function findInexpressible({ messages, tools = [], toolChoice, schema }: ModelRequest): string | null {
  const lacks = [
    ...(tools.length > 0 || toolChoice !== undefined ? ['tools'] : []),
    ...(messages.some(({ role }) => role === 'assistant' || role === 'tool') ? ['roles'] : []),
    ...(schema === undefined ? [] : ['schemas']),
  ]
  return lacks.length === 0
    ? null
    : `the completions API has no ${lacks.join(' and no ')}; use a model of api chat`
}

export async function askCompletion(
  { client, hide }: EndpointConnection,
  settings: ModelSettings,
  request: ModelRequest,
  { signal, spend }: { signal: AbortSignal; spend: UsageListener },
): Promise<ModelAnswer> {
  const body = {
    max_tokens: defaultMaxTokens,
    ...request.parameters,
    ...settings.parameters,
    model: settings.model,
    prompt: buildPrompt(request, settings),
  }
  const response = await (settings.stream
    ? client.completions.create({ ...body, stream: true }, { signal }).asResponse()
    : client.completions.create({ ...body, stream: false }, { signal }).asResponse())
  const answer = await readAnswer(response, 'completions', { request, hide, spend })
  return prefixed(answer, settings)
}

/** The answer behind the prefix, with which the prompt ended. */
export const prefixed = (
  answer: ModelAnswer,
  { prefix = '' }: Pick<ModelSettings, 'prefix'>,
): ModelAnswer => ({ ...answer, text: `${prefix}${answer.text}` })
