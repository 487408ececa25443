/** Runners of models that call tools over a chat API. */
import type { ModelTool } from '@stateeval/contracts'
import type { FunctionSchema } from '../conversation/conversation.ts'
import type { Runner } from './runner.ts'

const longestName = 64
/** Chat APIs refuse other characters and longer names. */
const toolName = (name: string) => name.replace(/[^\w-]/gu, '-').slice(0, longestName)

const toolOf = ({ name, description, parameters }: FunctionSchema): ModelTool => ({
  name: toolName(name),
  ...(description !== undefined && { description }),
  parameters,
})

type Rules = Pick<Runner, 'unknownFunction' | 'tellsFormatErrors' | 'endsOnLastErrors'>

const toolRunner = (rules: Rules): Runner => ({
  ...rules,
  usesTools: true,
  open: ({ query, functions }) => ({
    append: [{ role: 'user', content: query }],
    tools: functions.map(toolOf),
  }),
  read: ({ toolCalls = [] }, { functions }) =>
    toolCalls.map((call) => {
      // The first function of that tool name.
      const match = functions.find(({ name }) => toolName(name) === call.name)
      return match ? { ...call, name: match.name } : { ...call, isUnknown: true }
    }),
  write: (calls) => [
    {
      text: '',
      toolCalls: calls.map(({ name, arguments: text }, at) => ({
        id: `call_${at}`,
        name: toolName(name),
        arguments: text,
      })),
      finish: 'tool_calls',
    },
  ],
  answer: (calls, contents) =>
    calls.map(({ id }, at) => ({ role: 'tool', toolCallId: id, content: contents[at]! })),
})

export const openai = toolRunner({
  unknownFunction: 'decode_error',
  tellsFormatErrors: true,
  endsOnLastErrors: true,
})
export const mistral = toolRunner({
  unknownFunction: 'name_error',
  tellsFormatErrors: true,
  endsOnLastErrors: true,
})
export const claude = toolRunner({
  unknownFunction: 'name_error',
  tellsFormatErrors: false,
  endsOnLastErrors: false,
})
