/** Transcripts as Inspect's chat messages. */
import { getOwnMember, type JsonValue, type Message, type Transcript } from '@stateeval/contracts'

type ToolCalls = NonNullable<Extract<Message, { role: 'assistant' }>['toolCalls']>

/** Inspect wants arguments as an object; what a model wrote instead of one is kept in the error. */
function convertToolCall({ id, name, arguments: text }: ToolCalls[number]): JsonValue {
  const call = { id, function: name, type: 'function' }
  try {
    const value = JSON.parse(text) as JsonValue
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ...call, arguments: value }
    return { ...call, arguments: {}, parse_error: `The arguments are not an object: ${text}` }
  } catch (error) {
    return { ...call, arguments: {}, parse_error: `${(error as Error).message}: ${text}` }
  }
}

/**
 * The messages of a transcript. Their ids begin with `prefix`, so the same evaluation gives the same ids.
 */
export function convertMessages({ messages }: Transcript, prefix: string, model: string): JsonValue[] {
  const functions = new Map<string, string>()
  return messages.map((message, at): JsonValue => {
    const id = `${prefix}-${at}`
    const { role, content } = message
    switch (message.role) {
      case 'assistant': {
        const { toolCalls = [] } = message
        for (const call of toolCalls) functions.set(call.id, call.name)
        const calls = toolCalls.length > 0 && { tool_calls: toolCalls.map(convertToolCall) }
        return { id, role, content, source: 'generate', ...calls, model }
      }
      case 'tool': {
        const { toolCallId } = message
        const name = functions.get(toolCallId)
        return { id, role, content, tool_call_id: toolCallId, ...(name !== undefined && { function: name }) }
      }
      default:
        return { id, role, content, source: 'input' }
    }
  })
}

/** Why an answer ended, by Inspect's names. */
const stopReasons: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'max_tokens',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
}

/** The last reply of a transcript as a model’s output; empty without a reply. */
export function buildOutput(
  transcript: Transcript,
  messages: readonly JsonValue[],
  model: string,
): JsonValue {
  const at = transcript.messages.findLastIndex(({ role }) => role === 'assistant')
  const last = transcript.messages[at]
  if (last?.role !== 'assistant') return { model, choices: [], completion: '' }
  const reason = getOwnMember(stopReasons, last.finish ?? 'stop') ?? 'unknown'
  return { model, choices: [{ message: messages[at]!, stop_reason: reason }], completion: last.content }
}
