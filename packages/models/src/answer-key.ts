/** What an answer is kept under: the hash of everything that was asked. */
import { createHash } from 'node:crypto'
import type { ModelSettings } from '@stateeval/contracts'
import type { ModelRequest } from './request.ts'

/** JSON with the keys of objects in order; members that are undefined are left out. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, part]) => part !== undefined)
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`)
    .join(',')}}`
}

/**
 * The 64-digit key. Keys, limits, prices and time-outs change no answer, so they are not in it. Answers of a judge have no sample:
 * everybody shares them; `attempt` numbers repeated questions to it.
 */
export function answerKey(
  { baseUrl, model, api = 'chat', prefix, parameters = {} }: ModelSettings,
  request: Omit<ModelRequest, 'before' | 'settle'>,
  sample?: number,
  attempt?: number,
): string {
  const { messages, tools, toolChoice, schema, parameters: asked = {} } = request
  const question = {
    v: 1,
    baseUrl,
    model,
    api,
    ...(api === 'completions' && { prefix: prefix ?? '' }),
    parameters: { ...asked, ...parameters },
    messages,
    tools,
    toolChoice,
    schema,
    sample,
    attempt,
  }
  return createHash('sha256').update(canonical(question)).digest('hex')
}
