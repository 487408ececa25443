/** Calls of tools by a model that was not trained for them: told in words, and held to by a grammar. */

export interface Tool {
  function: { name: string; description?: string; parameters?: Schema }
}
interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}
export interface ChatMessage {
  role: string
  content: string | null
  tool_calls?: ToolCall[]
}
type Schema = Record<string, unknown>

/** What a grammar is made of; the rest of a schema is advice. */
function plain(schema: Schema): Schema {
  const { type, enum: values, const: only, properties, items, anyOf, oneOf = anyOf } = schema
  if (Array.isArray(oneOf)) return { oneOf: oneOf.map((one) => plain(one as Schema)) }
  if (values !== undefined) return { enum: values }
  if (only !== undefined) return { const: only }
  if (type === 'array') return { type, items: plain((items ?? { type: 'string' }) as Schema) }
  if (type !== 'object') return { type: type ?? 'string' }
  if (properties === undefined) return { type, additionalProperties: { type: 'string' } }
  const entries = Object.entries(properties as Record<string, Schema>)
  return { type, properties: Object.fromEntries(entries.map(([key, one]) => [key, plain(one)])) }
}

/** The schema of a reply. */
export const grammarOf = (tools: readonly Tool[]): Schema => ({
  oneOf: tools.map(({ function: { name, parameters } }) => ({
    type: 'object',
    properties: { function: { const: name }, arguments: plain(parameters ?? { type: 'object' }) },
  })),
})

/** A dialogue in words alone. */
export function promptsOf(
  messages: readonly ChatMessage[],
  tools: readonly Tool[] = [],
): { role: string; content: string }[] {
  const functions = tools.map(({ function: { name, description = '', parameters } }) => {
    const names = Object.keys(parameters?.['properties'] ?? {}).join(', ')
    return `${name}(${names}): ${description}`
  })
  const about =
    tools.length === 0
      ? ''
      : `\n\nAnswer with one JSON object that calls a function: {"function": …, "arguments": {…}}.\n${functions.join('\n')}`
  return messages.map(({ role, content, tool_calls: calls = [] }, at) => {
    const texts = calls.map(
      ({ function: { name, arguments: args } }) =>
        `{"function": ${JSON.stringify(name)}, "arguments": ${args}}`,
    )
    const text = [content ?? '', ...texts].filter(Boolean).join('\n')
    if (role === 'tool') return { role: 'user', content: `The function returned: ${text}` }
    return { role, content: at === 0 ? text + about : text }
  })
}

/** The call that a reply makes; null where it was cut off. */
export function callIn(text: string, id: string): ToolCall | null {
  try {
    const { function: name, arguments: args } = JSON.parse(text) as { function: string; arguments: object }
    return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
  } catch {
    return null
  }
}
