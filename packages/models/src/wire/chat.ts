/** Chat: messages to a message, complete or streamed. */
import type { ModelSettings, ModelTool } from '@stateeval/contracts'
import type { ChatCompletionTool } from 'openai/resources/chat/completions'
import { inDialect } from '../dialects/in-dialect.ts'
import type { RequestManners } from '../dialects/table.ts'
import type { Connection } from '../endpoint.ts'
import type { ModelAnswer, ModelRequest } from '../request.ts'
import { messageParam } from './message.ts'
import { readAnswer } from './reply.ts'
import type { UsageListener } from './usage.ts'

export async function chat(
  { client, hide }: Connection,
  settings: ModelSettings,
  request: ModelRequest,
  { signal, spend, manners = {} }: { signal: AbortSignal; spend: UsageListener; manners?: RequestManners },
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
  const { completions } = client.chat
  const response = await (settings.stream
    ? completions
        .create(inDialect({ ...body, stream: true, stream_options: { include_usage: true } }, manners), {
          signal,
        })
        .asResponse()
    : completions.create(inDialect({ ...body, stream: false }, manners), { signal }).asResponse())
  return readAnswer(response, 'chat', { request, hide, spend })
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
