/** Writes a chat request of OpenAI's API in an endpoint's dialect. */
import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import type { RequestManners } from './table.ts'

const limitNames = ['max_tokens', 'max_completion_tokens'] as const

export function applyDialect<T extends ChatCompletionCreateParams>(body: T, manners: RequestManners): T {
  const { maxTokens, streamUsage, schema, toolChoice, system, refused = [] } = manners
  const written: ChatCompletionCreateParams = { ...body }
  const limit = limitNames.map((name) => written[name]).find((value) => value !== undefined)
  if (maxTokens !== undefined && limit !== undefined) {
    for (const name of limitNames) delete written[name]
    written[maxTokens] = limit
  }
  if (streamUsage === 'unasked') delete written.stream_options
  if (schema === 'told' && written.response_format?.type === 'json_schema') {
    const { schema: form } = written.response_format.json_schema
    written.response_format = { type: 'json_object' }
    written.messages = withNote(
      written.messages,
      `Answer with one JSON object that satisfies this JSON Schema:\n${JSON.stringify(form)}`,
    )
  }
  const choice = written.tool_choice
  if (toolChoice === 'word' && typeof choice === 'object' && choice.type === 'function') {
    const { name } = choice.function
    written.tools = written.tools?.filter((tool) => tool.type === 'function' && tool.function.name === name)
    written.tool_choice = 'required'
  }
  if (system === 'user') written.messages = moveSystemTexts(written.messages)
  if (system === 'developer') written.messages = written.messages.map(toDeveloper)
  for (const name of refused) Reflect.deleteProperty(written, name)
  return written as T
}

const isText = (message: ChatCompletionMessageParam | undefined, role: 'system' | 'user') =>
  message?.role === role && typeof message.content === 'string'

/** The note behind the system’s text, or as one. */
function withNote(
  messages: readonly ChatCompletionMessageParam[],
  note: string,
): ChatCompletionMessageParam[] {
  const [first, ...rest] = messages
  return isText(first, 'system')
    ? [{ role: 'system', content: `${first?.content as string}\n\n${note}` }, ...rest]
    : [{ role: 'system', content: note }, ...messages]
}

const toDeveloper = (message: ChatCompletionMessageParam): ChatCompletionMessageParam =>
  message.role === 'system' ? { ...message, role: 'developer' } : message

/** Texts of the system stand before the next message of the user; the last ones are messages of the user. */
function moveSystemTexts(messages: readonly ChatCompletionMessageParam[]): ChatCompletionMessageParam[] {
  const written: ChatCompletionMessageParam[] = []
  let texts: string[] = []
  for (const message of messages) {
    if (isText(message, 'system')) texts.push(message.content as string)
    else if (texts.length > 0 && isText(message, 'user')) {
      written.push({ role: 'user', content: [...texts, message.content as string].join('\n\n') })
      texts = []
    } else written.push(message)
  }
  return texts.length > 0 ? [...written, { role: 'user', content: texts.join('\n\n') }] : written
}
