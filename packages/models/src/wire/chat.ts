/** Chat: messages to a message, complete or streamed. */
import {
  maxToolCalls,
  type Message,
  type ModelSettings,
  type ModelTool,
  type ModelToolCall,
} from '@stateeval/contracts'
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions'
import { Unusable } from '../classify.ts'
import { inDialect } from '../dialects/in-dialect.ts'
import type { RequestManners } from '../dialects/table.ts'
import type { Connection } from '../endpoint.ts'
import type { ModelAnswer, ModelRequest } from '../request.ts'
import {
  answerFrom,
  contentText,
  finishOf,
  longestAnswer,
  type Raw,
  type RawCall,
  textOf,
  withoutAnswer,
} from './answer.ts'

export async function chat(
  { client, hide }: Connection,
  settings: ModelSettings,
  request: ModelRequest,
  signal: AbortSignal,
  manners: RequestManners = {},
): Promise<ModelAnswer> {
  const body = {
    ...request.parameters,
    ...settings.parameters,
    model: settings.model,
    messages: request.messages.map(messageParam),
    ...(request.tools && request.tools.length > 0 && { tools: request.tools.map(toolParam) }),
    ...(request.toolChoice && { tool_choice: toolChoiceParam(request.toolChoice) }),
    ...(request.schema && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: 'answer', strict: true, schema: { ...request.schema } },
      },
    }),
  }
  const raw = settings.stream
    ? await gather(
        await client.chat.completions.create(
          inDialect({ ...body, stream: true, stream_options: { include_usage: true } }, manners),
          withSignal(signal),
        ),
      )
    : whole(
        await client.chat.completions.create(
          inDialect({ ...body, stream: false }, manners),
          withSignal(signal),
        ),
      )
  return answerFrom(raw, request, hide)
}
const withSignal = (signal: AbortSignal) => ({ signal })

function messageParam(message: Message): ChatCompletionMessageParam {
  const { role, content } = message
  if (role === 'tool') return { role, content, tool_call_id: message.toolCallId }
  if (role === 'assistant' && message.toolCalls)
    return {
      role,
      content,
      tool_calls: message.toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    }
  return { role, content }
}
const toolChoiceParam = (choice: NonNullable<ModelRequest['toolChoice']>) =>
  typeof choice === 'string' ? choice : { type: 'function' as const, function: { name: choice.name } }
const toolParam = ({ name, description, parameters }: ModelTool): ChatCompletionTool => ({
  type: 'function',
  function: {
    name,
    ...(description !== undefined && { description }),
    ...(parameters && { parameters: { ...parameters } }),
  },
})

/** Servers that are only nearly compatible leave parts out: nothing is taken for granted. */
function whole(completion: ChatCompletion | string): Raw {
  const choice = typeof completion === 'object' ? completion.choices?.[0] : undefined
  if (typeof completion === 'string' || !choice?.message)
    throw withoutAnswer(completion, 'choices[0].message')
  const { message, finish_reason: finish } = choice
  const listed: unknown = message.tool_calls
  const calls = (Array.isArray(listed) ? (listed as (NearlyCall | null)[]) : []).flatMap((call) =>
    call?.type === 'function' ? [callOf(call)] : [],
  )
  const text = contentText(message.content ?? message.refusal)
  if (text === null)
    throw new Unusable('the endpoint answered with a choices[0].message.content that is not a string')
  return { text, calls, finish: finishOf(finish, 'stop'), usage: completion.usage }
}

/** A call of a server that may leave any part out. */
interface NearlyCall {
  type?: unknown
  id?: unknown
  function?: { name?: unknown; arguments?: unknown } | null
}
const callOf = ({ id, function: callee }: NearlyCall): RawCall => ({
  id,
  name: callee?.name,
  arguments: callee?.arguments,
})

/** Puts a stream together. One without a reason to stop broke off on the way, however it ended. */
async function gather(stream: AsyncIterable<ChatCompletionChunk>): Promise<Raw> {
  const raw = { text: '', finish: '', usage: undefined as Raw['usage'] }
  const calls = new Map<unknown, ModelToolCall>()
  let size = 0
  const whole = (finish: string): Raw => ({ ...raw, finish, calls: inOrder(calls) })
  for await (const chunk of stream) {
    if (chunk.usage) raw.usage = chunk.usage
    const choice = chunk.choices?.[0]
    if (!choice) continue
    raw.text += contentText(choice.delta?.content ?? choice.delta?.refusal) ?? ''
    for (const { index, id, function: part } of choice.delta?.tool_calls ?? []) {
      const call = calls.get(index) ?? { id: '', name: '', arguments: '' }
      calls.set(index, call)
      const before = lengthOf(call)
      call.id ||= textOf(id)
      call.name += textOf(part?.name)
      call.arguments += textOf(part?.arguments)
      size += lengthOf(call) - before
    }
    // What comes now is not kept: an answer without an end is left here.
    if (raw.text.length > longestAnswer || size > longestAnswer || calls.size > maxToolCalls)
      return whole('length')
    raw.finish = finishOf(choice.finish_reason, '') || raw.finish
  }
  if (raw.finish === '') throw new Unusable('the stream ended before the answer was complete')
  return whole(raw.finish)
}

const lengthOf = ({ id, name, arguments: text }: ModelToolCall) => id.length + name.length + text.length

/** By their places, in whatever order these came. */
const inOrder = (calls: ReadonlyMap<unknown, ModelToolCall>): ModelToolCall[] =>
  [...calls].sort(([a], [b]) => Number(a) - Number(b)).map(([, call]) => call)
