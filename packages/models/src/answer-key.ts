/** The key of a stored answer: the hash of the complete question. */
import { computeContentId, type ModelSettings } from '@stateeval/contracts'
import type { ModelRequest } from './request.ts'

/**
 * The 64-digit key. Keys, limits, prices and timeouts do not change an answer, so they are not part of it;
 * headers and query parameters may, as they tell gateways whom to ask. Secrets in them are names.
 * Answers of a judge have no sample, so all samples share them; `attempt` numbers repeated questions to it.
 */
export function computeAnswerKey(
  { baseUrl, model, headers, query, api = 'chat', systemRole, prefix, parameters = {} }: ModelSettings,
  request: Omit<ModelRequest, 'before' | 'settle' | 'spent'>,
  sample?: number,
  attempt?: number,
): string {
  const { messages, tools, toolChoice, schema, parameters: askedParameters = {} } = request
  const question = {
    v: 1,
    baseUrl,
    model,
    headers,
    query,
    api,
    systemRole,
    ...(api === 'completions' && { prefix: prefix ?? '' }),
    parameters: { ...askedParameters, ...parameters },
    messages,
    tools,
    toolChoice,
    schema,
    sample,
    attempt,
  }
  return computeContentId(question)
}
