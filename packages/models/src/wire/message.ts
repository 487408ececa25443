/** Messages as they go out: OpenAI's form, with what an endpoint demands back from its replies. */
import type { Message, ModelToolCall, VendorMembers } from '@stateeval/contracts'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { toMembers } from './members.ts'

/**
 * Thoughts as text go back with calls only: DeepSeek refuses a call without them, and refused any other
 * message with them.
 */
const withCallsOnly: ReadonlySet<string> = new Set([
  'reasoning_content',
  'reasoning',
  'thinking',
  'reasoning_text',
])

export function buildMessage(message: Message): ChatCompletionMessageParam {
  const { role, content } = message
  if (role === 'tool') return { role, content, tool_call_id: message.toolCallId }
  if (role !== 'assistant') return { role, content }
  const { toolCalls = [], vendor = {} } = message
  const { content: parts, ...others } = selectVendorMembers(vendor, toolCalls.length > 0)
  return {
    ...others,
    role,
    content: buildContentParam(content, parts, toolCalls.length > 0),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map((call, at) => callParam(call, vendor.calls?.[at])),
    }),
  } as ChatCompletionMessageParam
}

function selectVendorMembers({ message = {} }: VendorMembers, hasCalls: boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(message).filter(([name]) => hasCalls || !withCallsOnly.has(name)))
}

/** No text beside calls is null: some vendors refuse an empty one. Parts with thoughts precede the text. */
function buildContentParam(content: string, parts: unknown, hasCalls: boolean) {
  if (Array.isArray(parts))
    return [...(parts as unknown[]), ...(content === '' ? [] : [{ type: 'text', text: content }])]
  return content === '' && hasCalls ? null : content
}

function callParam(
  { id, name, arguments: text }: ModelToolCall,
  others: Readonly<Record<string, unknown>> = {},
) {
  return {
    ...others,
    id,
    type: 'function' as const,
    function: { ...toMembers(others['function']), name, arguments: toJsonArguments(text) },
  }
}

/**
 * Arguments as a JSON object: servers parse those of earlier calls and answer 400 or 500 if they cannot. The
 * model sees what it wrote.
 */
export function toJsonArguments(text: string): string {
  if (text.trim() === '') return '{}'
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text
  } catch {
    // Wrapped below.
  }
  return JSON.stringify({ invalid_arguments: text })
}
