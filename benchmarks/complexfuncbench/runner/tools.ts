/** Runners of models that call tools over a chat API. */
import type { ModelTool } from '@stateeval/contracts'
import type { FunctionSchema } from '../conversation/conversation.ts'
import type { DialogueRunner } from './runner.ts'

const longestName = 64
/** Chat APIs refuse other characters and longer names. */
const formatToolName = (name: string) => name.replace(/[^\w-]/gu, '-').slice(0, longestName)

const buildFunctionTool = ({ name, description, parameters }: FunctionSchema): ModelTool => ({
  name: formatToolName(name),
  ...(description !== undefined && { description }),
  parameters,
})

type ToolRunnerRules = Pick<DialogueRunner, 'unknownFunction' | 'tellsFormatErrors' | 'endsOnLastErrors'>

const createToolRunner = (rules: ToolRunnerRules): DialogueRunner => ({
  ...rules,
  usesTools: true,
  open: ({ query, functions }) => ({
    append: [{ role: 'user', content: query }],
    tools: functions.map(buildFunctionTool),
  }),
  read: ({ toolCalls = [] }, { functions }) =>
    toolCalls.map((call) => {
      // The first function of that tool name.
      const match = functions.find(({ name }) => formatToolName(name) === call.name)
      return match ? { ...call, name: match.name } : { ...call, isUnknown: true }
    }),
  write: (calls) => [
    {
      text: '',
      toolCalls: calls.map(({ name, arguments: text }, at) => ({
        id: `call_${at}`,
        name: formatToolName(name),
        arguments: text,
      })),
      finish: 'tool_calls',
    },
  ],
  answer: (calls, contents) =>
    calls.map(({ id }, at) => ({ role: 'tool', toolCallId: id, content: contents[at]! })),
})

export const openai = createToolRunner({
  unknownFunction: 'decode_error',
  tellsFormatErrors: true,
  endsOnLastErrors: true,
})
export const mistral = createToolRunner({
  unknownFunction: 'name_error',
  tellsFormatErrors: true,
  endsOnLastErrors: true,
})
export const claude = createToolRunner({
  unknownFunction: 'name_error',
  tellsFormatErrors: false,
  endsOnLastErrors: false,
})
