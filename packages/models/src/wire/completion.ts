/** Raw completions for base models: the plain text of the messages, without a template. */
import type { ModelSettings } from '@stateeval/contracts'
import type { Completion } from 'openai/resources/completions'
import { Unusable } from '../classify.ts'
import type { Connection } from '../endpoint.ts'
import type { ModelAnswer, ModelRequest } from '../request.ts'
import { answerFrom, finishOf, longestAnswer, type Raw, withoutAnswer } from './answer.ts'

/** Endpoints take 16 where nothing is said, which is no program. */
const defaultMaxTokens = 1024

/** A model goes on right behind the text: nothing comes after it but the prefix, where one is set. */
const promptOf = ({ messages }: ModelRequest, { prefix = '' }: Pick<ModelSettings, 'prefix'>) =>
  [...messages.map(({ content }) => content), ...(prefix === '' ? [] : [prefix])].join('\n\n')

/** The part of a request that plain text cannot express; null if there is none. */
export function lacking({ messages, tools = [], toolChoice, schema }: ModelRequest): string | null {
  const lacks = [
    ...(tools.length > 0 || toolChoice !== undefined ? ['tools'] : []),
    ...(messages.some(({ role }) => role === 'assistant' || role === 'tool') ? ['roles'] : []),
    ...(schema === undefined ? [] : ['schemas']),
  ]
  return lacks.length === 0
    ? null
    : `the completions API has no ${lacks.join(' and no ')}; use a model of api chat`
}

export async function completion(
  { client, hide }: Connection,
  settings: ModelSettings,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { prefix = '' } = settings
  const body = {
    max_tokens: defaultMaxTokens,
    ...settings.parameters,
    model: settings.model,
    prompt: promptOf(request, settings),
  }
  const raw = settings.stream
    ? await gather(await client.completions.create({ ...body, stream: true }, { signal }))
    : whole(await client.completions.create({ ...body, stream: false }, { signal }))
  const answer = answerFrom(raw, request, hide)
  return { ...answer, text: `${prefix}${answer.text}` }
}

function whole(body: Completion | string): Raw {
  const choice = typeof body === 'object' ? body.choices?.[0] : undefined
  if (typeof body === 'string' || typeof choice?.text !== 'string')
    throw withoutAnswer(body, 'choices[0].text')
  return { text: choice.text, calls: [], finish: finishOf(choice.finish_reason, 'stop'), usage: body.usage }
}
async function gather(stream: AsyncIterable<Completion>): Promise<Raw> {
  const raw: Raw = { text: '', calls: [], finish: '', usage: undefined }
  for await (const chunk of stream) {
    if (chunk.usage) raw.usage = chunk.usage
    const choice = chunk.choices?.[0]
    if (!choice) continue
    raw.text += choice.text ?? ''
    if (raw.text.length > longestAnswer) return { ...raw, finish: 'length' }
    raw.finish = finishOf(choice.finish_reason, '') || raw.finish
  }
  if (raw.finish === '') throw new Unusable('the stream ended before the answer was complete')
  return raw
}
