/** Chat: messages to a message, complete or streamed. */
import type { ModelSettings, ModelTool } from '@stateeval/contracts'
import type { ChatCompletionTool } from 'openai/resources/chat/completions'
import { applyDialect } from '../dialects/in-dialect.ts'
import type { RequestManners } from '../dialects/table.ts'
import type { EndpointConnection } from '../endpoint.ts'
import type { ModelAnswer, ModelRequest } from '../request.ts'
import { buildMessage } from './message.ts'
import { readAnswer } from './reply.ts'
import type { UsageListener } from './usage.ts'

export async function askChat(
  { client, hide }: EndpointConnection,
  settings: ModelSettings,
  request: ModelRequest,
  { signal, spend, manners = {} }: { signal: AbortSignal; spend: UsageListener; manners?: RequestManners },
): Promise<ModelAnswer> {
  const body = {
    ...request.parameters,
    ...settings.parameters,
    model: settings.model,
    messages: request.messages.map(buildMessage),
    ...(request.tools && request.tools.length > 0 && { tools: request.tools.map(buildTool) }),
    ...(request.toolChoice && { tool_choice: buildToolChoice(request.toolChoice) }),
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
        .create(applyDialect({ ...body, stream: true, stream_options: { include_usage: true } }, manners), {
          signal,
        })
        .asResponse()
    : completions.create(applyDialect({ ...body, stream: false }, manners), { signal }).asResponse())
  return readAnswer(response, 'chat', { request, hide, spend })
}

const buildToolChoice = (choice: NonNullable<ModelRequest['toolChoice']>) =>
  typeof choice === 'string' ? choice : { type: 'function' as const, function: { name: choice.name } }
const buildTool = ({ name, description, parameters }: ModelTool): ChatCompletionTool => ({
  type: 'function',
  function: {
    name,
    ...(description !== undefined && { description }),
    ...(parameters && { parameters: { ...parameters } }),
  },
})
