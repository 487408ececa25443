/**
 * Runners of models without tool calling: functions stand in the system message, calls in the text of a
 * reply.
 */
import type { ListedCall, Message } from '@stateeval/contracts'
import type { SampleConversation } from '../conversation/conversation.ts'
import { NoJson, readJson } from '../python/read.ts'
import { isDict, type PythonValue } from '../python/value.ts'
import { dumpJson } from '../python/write.ts'
import type { DialogueRunner, WrittenCall } from './runner.ts'

type TextRunnerRules = Pick<DialogueRunner, 'unknownFunction' | 'tellsFormatErrors' | 'endsOnLastErrors'>
interface TextForm {
  instruction: string
  /** Calls found in a text. */
  calls(text: string, conversation: SampleConversation): Omit<WrittenCall, 'id'>[]
  /** Texts that make these calls. */
  write(calls: readonly ListedCall[]): string[]
  /** The results of all calls of a reply in one text. */
  results(calls: readonly WrittenCall[], contents: readonly string[]): string
}

const createTextRunner = (rules: TextRunnerRules, form: TextForm): DialogueRunner => ({
  ...rules,
  usesTools: false,
  open: ({ query, functions }) => ({
    append: [
      {
        role: 'system',
        content: `${form.instruction}\n\nFunctions, as JSON:\n${functions.map((one) => JSON.stringify(one)).join('\n')}`,
      },
      { role: 'user', content: query },
    ],
  }),
  read: ({ content }, conversation) =>
    form.calls(content, conversation).map((call, at) => ({ id: `call_${at}`, ...call })),
  write: (calls) => form.write(calls).map((text) => ({ text, finish: 'stop' })),
  answer: (calls, contents): Message[] => [{ role: 'user', content: form.results(calls, contents) }],
})

function parseValueOrNothing(text: string): PythonValue | undefined {
  try {
    return readJson(text)
  } catch (error) {
    if (error instanceof NoJson) return undefined
    throw error
  }
}

/** A call in a JSON object with a name and, under one of two names, arguments. Broken where it is none. */
function readCallObject(text: string): Omit<WrittenCall, 'id'> {
  const value = parseValueOrNothing(text)
  const name = isDict(value) ? value.get('name') : undefined
  if (!isDict(value) || typeof name !== 'string')
    return { name: '', arguments: text, broken: 'it is not a JSON object with a name' }
  const args = value.get('arguments') ?? value.get('parameters') ?? new Map<string, PythonValue>()
  return { name, arguments: dumpJson(args, { ascii: false }) }
}

const callJson = (under: 'arguments' | 'parameters', { name, arguments: text }: ListedCall) =>
  `{"name": ${JSON.stringify(name)}, "${under}": ${text}}`

/** Lists the texts between two marks, each time; the last one may lack its closing mark. */
function listBetween(text: string, opening: string, closing: string): string[] {
  const parts: string[] = []
  for (let at = text.indexOf(opening); at >= 0;) {
    const begin = at + opening.length
    const end = text.indexOf(closing, begin)
    parts.push(text.slice(begin, end < 0 ? undefined : end))
    at = end < 0 ? -1 : text.indexOf(opening, end)
  }
  return parts
}

/** Qwen's form: each call in a pair of tags. */
export const qwen = createTextRunner(
  { unknownFunction: null, tellsFormatErrors: true, endsOnLastErrors: false },
  {
    instruction: `You may call functions to answer the user. Write each call as JSON within <tool_call></tool_call>, several calls one after another:
<tool_call>
{"name": "function name", "arguments": {"parameter": "value"}}
</tool_call>
The results follow within <tool_response></tool_response>. When you need no further call, answer the user in plain text without these tags.`,
    calls: (text) => listBetween(text, '<tool_call>', '</tool_call>').map(readCallObject),
    write: (calls) => [
      calls.map((one) => `<tool_call>\n${callJson('arguments', one)}\n</tool_call>`).join('\n'),
    ],
    results: (_, contents) =>
      contents.map((content) => `<tool_response>\n${content}\n</tool_response>`).join('\n'),
  },
)

/** Llama's form: a reply that consists of JSON objects, one for each call. */
export const llama = createTextRunner(
  { unknownFunction: 'name_error', tellsFormatErrors: true, endsOnLastErrors: false },
  {
    instruction: `You may call functions to answer the user. To call some, reply with nothing but JSON, one line for each call:
{"name": "function name", "parameters": {"parameter": "value"}}
The results follow as JSON, one line for each call. When you need no further call, answer the user in plain text.`,
    calls(text) {
      const lines = text.split('\n').filter((line) => line.trim() !== '')
      const whole = parseValueOrNothing(text)
      if (isDict(whole) && whole.has('name')) return [readCallObject(text)]
      const isCall = (line: string) => line.trimStart().startsWith('{') && line.includes('"name"')
      return lines.length > 0 && lines.every(isCall) ? lines.map((line) => readCallObject(line.trim())) : []
    },
    write: (calls) => [calls.map((one) => callJson('parameters', one)).join('\n')],
    results: (_, contents) => contents.join('\n'),
  },
)

/** GLM's form: the function's name in the first line, its arguments below; one call in each reply. */
export const glm = createTextRunner(
  { unknownFunction: null, tellsFormatErrors: true, endsOnLastErrors: false },
  {
    instruction: `You may call functions to answer the user. To call one, reply with its name in the first line and its arguments as JSON below, and nothing else:
function name
{"parameter": "value"}
The result follows. When you need no further call, answer the user in plain text.`,
    calls(text) {
      const bare = text.trim()
      const end = bare.indexOf('\n')
      const [name, rest] = end < 0 ? [bare, ''] : [bare.slice(0, end).trim(), bare.slice(end + 1).trim()]
      // A text of several lines whose second begins with a brace is taken for a call, whatever its name.
      if (name === '' || !/^\S+$/.test(name) || !rest.startsWith('{')) return []
      return [{ name, arguments: rest }]
    },
    write: (calls) => calls.map(({ name, arguments: text }) => `${name}\n${text}`),
    results: (_, contents) => contents.join('\n'),
  },
)
