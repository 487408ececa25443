/**
 * The questions of a probe, as data: what is sent, and what the replies show. A question is cheap: its answer
 * has a few words, and a limit of tokens.
 */
import type { FindingId } from '@stateeval/contracts'
import type { AnsweredQuestion, ModelQuestion } from '../asking/question.ts'
import * as readers from './readers.ts'
import type { FoundValue } from './readers.ts'

export interface ProbeQuestion {
  id: string
  request: Omit<ModelQuestion, 'model' | 'sample' | 'attempt'>
  isStreamed?: true
  /** It needs roles, tools or schemas. */
  isChat?: true
  /** It is asked only if the endpoint makes tool calls. */
  isOfCalls?: true
  /** It is asked so many times. */
  times?: number
  /** The finding that fails if the endpoint rejects the request. */
  rejected?: FindingId
  /** Reads findings from the answers. */
  finds: { readonly [id in FindingId]?: (answers: readonly AnsweredQuestion[]) => FoundValue }
}

/** Enough for a short thought before a short answer. */
const few = { max_tokens: 512 }
const askAsUser = (content: string) => ({ role: 'user' as const, content })
const sum = [askAsUser('What is 2 + 3? Answer with the number only.')]
const counting = [askAsUser('Count from 1 to 100, with commas between the numbers.')]
const defineTool = (name: string, description: string) => ({
  name,
  description,
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
})
const weather = defineTool('get_weather', 'The weather in a city now')
const time = defineTool('get_time', 'The time in a city now')
const inParis = [askAsUser('What is the weather in Paris now? Use the tool.')]

export const probeQuestions: readonly ProbeQuestion[] = [
  {
    id: 'text',
    request: { messages: sum, parameters: few },
    finds: { usage: readers.hasUsage, thoughts: readers.thoughts, leftovers: readers.leftovers },
  },
  {
    id: 'stream',
    request: { messages: sum, parameters: few },
    isStreamed: true,
    rejected: 'streaming',
    finds: { streaming: readers.isStreamed, streamUsage: readers.hasUsage },
  },
  {
    id: 'stream options',
    request: { messages: sum, parameters: few, plain: 'streamUsage' },
    isStreamed: true,
    isChat: true,
    rejected: 'streamOptions',
    finds: { streamOptions: readers.isTaken },
  },
  {
    id: 'system',
    request: {
      messages: [{ role: 'system', content: 'Answer every question with the single word BANANA.' }, ...sum],
      parameters: few,
      plain: 'system',
    },
    isChat: true,
    rejected: 'systemRole',
    finds: { systemRole: readers.findWord('BANANA') },
  },
  {
    id: 'max_tokens',
    request: { messages: counting, parameters: { max_tokens: 16 }, plain: 'maxTokens' },
    rejected: 'maxTokens',
    finds: { maxTokens: readers.isCut },
  },
  {
    id: 'max_completion_tokens',
    request: { messages: counting, parameters: { max_completion_tokens: 16 }, plain: 'maxTokens' },
    isChat: true,
    rejected: 'maxCompletionTokens',
    finds: { maxCompletionTokens: readers.isCut },
  },
  {
    // Without a schema that is enforced, nobody answers this in JSON.
    id: 'schema',
    request: {
      messages: [askAsUser('Say hello.')],
      parameters: few,
      schema: {
        type: 'object',
        properties: { greeting: { type: 'string' } },
        required: ['greeting'],
        additionalProperties: false,
      },
      plain: 'schema',
    },
    isChat: true,
    rejected: 'jsonSchema',
    finds: { jsonSchema: readers.hasMember('greeting') },
  },
  {
    id: 'tool',
    request: { messages: inParis, parameters: few, tools: [weather], toolChoice: 'auto' },
    isChat: true,
    rejected: 'tools',
    finds: {
      tools: readers.findCallAnswer(weather.name),
      callIds: readers.hasIds,
      callTypes: readers.hasTypes,
    },
  },
  {
    id: 'parallel',
    request: {
      messages: [askAsUser('What is the weather in Paris and in Tokyo now? Use the tool for both at once.')],
      parameters: few,
      tools: [weather],
      toolChoice: 'auto',
    },
    isChat: true,
    isOfCalls: true,
    finds: { parallelCalls: readers.callsTogether, callIds: readers.hasIds, callTypes: readers.hasTypes },
  },
  {
    id: 'named tool',
    request: {
      messages: inParis,
      parameters: few,
      tools: [weather, time],
      toolChoice: { name: 'get_time' },
      plain: 'toolChoice',
    },
    isChat: true,
    isOfCalls: true,
    rejected: 'namedTool',
    finds: { namedTool: readers.findForeignCalls('get_time') },
  },
  {
    id: 'streamed tool',
    request: { messages: inParis, parameters: few, tools: [weather], toolChoice: 'auto' },
    isStreamed: true,
    isChat: true,
    isOfCalls: true,
    rejected: 'streamedCalls',
    finds: { streamedCalls: readers.findCallAnswer(weather.name), callIds: readers.hasIds },
  },
  {
    id: 'temperature',
    request: {
      messages: [askAsUser('Name six animals that are hard to guess.')],
      parameters: { ...few, temperature: 0 },
      plain: 'refused',
    },
    times: 2,
    rejected: 'temperature',
    finds: { temperature: readers.areEqual },
  },
  {
    id: 'seed',
    request: {
      messages: [askAsUser('Name six plants that are hard to guess.')],
      parameters: { ...few, seed: 7 },
      plain: 'refused',
    },
    times: 2,
    rejected: 'seed',
    finds: { seed: readers.areEqual },
  },
]
