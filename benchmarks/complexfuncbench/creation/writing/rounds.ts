/**
 * One sample from the first question to a case: a query, then its calls step by step in the world, then the
 * check. What fails goes back for another query; when the rounds are over it is rejected with the reason.
 */
import {
  type DialogueTurn,
  isRecord,
  type JsonValue,
  type Message,
  type TaskCase,
} from '@stateeval/contracts'
import { fillPrompt, type PromptFile, type WritingTurn, type WrittenTask } from '@stateeval/program'
import { buildFunctionSchema } from '../../travel/function.ts'
import { findFunction } from '../../travel/functions.ts'
import { cities } from '../../travel/geography/cities.ts'
import { ask, openTravel, type TravelState } from '../../travel/world.ts'
import type { GoldenCall, CreatedSample } from '../sample.ts'
import { parseReplyObject } from './answer.ts'
import { replaced } from '../generalise.ts'
import { countReplaceable, type LearnedSample } from '../learning/learn-template.ts'
import { checkWritten } from './check.ts'

const folder = new URL('../../prompts/', import.meta.url)
export const prompts: Readonly<Record<string, PromptFile>> = {
  queries: { folder, must: ['functions'], may: ['number', 'steps', 'cities'] },
  'queries-again': { folder, must: ['diagnosis'], may: [] },
  'queries-generalised': { folder, must: ['functions', 'query'], may: ['number', 'least', 'cities'] },
  'query-calls': { folder, must: ['functions', 'query'], may: [] },
}

export interface RoundsContext {
  index: number
  /** Names of the functions that the query is for. */
  functions: readonly string[]
  seed: string
  steps: number
  /** The sample that the query generalises. */
  like?: LearnedSample | undefined
  /** Times that a query may be written. */
  rounds: number
  texts: Readonly<Record<string, string>>
  /** The id of the case. */
  id: string
  caseOf: (sample: CreatedSample) => TaskCase
}

/** State that the host keeps. */
export type RoundsState = {
  /** Earlier queries, and what was said to them. */
  earlier: { answer: string; diagnosis: string }[]
  dialogue: DialogueTurn[]
  /** The query whose calls are being made. */
  now: { answer: string; query: string; calls: GoldenCall[][] } | null
}
export const startRounds = (): RoundsState => ({ earlier: [], dialogue: [], now: null })

const formatSchemas = (names: readonly string[]) =>
  JSON.stringify(
    names.map((name) => buildFunctionSchema(findFunction(name)!)),
    null,
    1,
  )

export function buildQuestionMessages({ earlier, now }: RoundsState, context: RoundsContext): Message[] {
  const { functions, texts, index, steps, like } = context
  if (now) return callMessages(now, context)
  const first = fillPrompt(texts[like ? 'queries-generalised' : 'queries'] ?? '', {
    functions: formatSchemas(functions),
    number: String(index + 1),
    cities: cities.map(({ name }) => name).join(', '),
    ...(like
      ? { query: like.query, least: String(Math.min(replaced.least, countReplaceable(like))) }
      : { steps: String(steps) }),
  })
  return [
    { role: 'user', content: first },
    ...earlier.flatMap(({ answer, diagnosis }): Message[] => [
      { role: 'assistant', content: answer || '(no answer)' },
      { role: 'user', content: fillPrompt(texts['queries-again'] ?? '', { diagnosis }) },
    ]),
  ]
}

/** Characters of one response in a question. */
const maxShown = 20_000

function callMessages({ query, calls }: NonNullable<RoundsState['now']>, context: RoundsContext): Message[] {
  const { functions, texts, seed } = context
  let state: TravelState = openTravel({ seed, hidden: [] })
  return [
    {
      role: 'user',
      content: fillPrompt(texts['query-calls'] ?? '', { functions: formatSchemas(functions), query }),
    },
    ...calls.flatMap((round): Message[] => {
      const answers = round.map(({ name, arguments: args }) => {
        const outcome = ask(state, name, args)
        state = outcome.state
        return `${name}: ${JSON.stringify(outcome.body).slice(0, maxShown)}`
      })
      return [
        { role: 'assistant', content: JSON.stringify({ calls: round }) },
        { role: 'user', content: answers.join('\n\n') },
      ]
    }),
  ]
}

const maxSteps = 10
const maxCalls = 20

export function resumeRounds(state: RoundsState, answer: string, context: RoundsContext): WritingTurn {
  const { now } = state
  const value = parseReplyObject(answer)
  if (!now) {
    const query = value && readQuery(value, context)
    if (!query || 'fault' in query)
      return askForAnother(
        state,
        answer,
        { reason: 'malformed query', says: query ? query.fault : 'the answer is not a JSON object' },
        context,
      )
    const generatorTurn: DialogueTurn = {
      by: 'generator',
      round: state.earlier.length + 1,
      says: answer.slice(0, 20_000),
    }
    return {
      state: {
        ...state,
        dialogue: [...state.dialogue, generatorTurn],
        now: { answer, query: query.query, calls: [] },
      },
    }
  }
  const failed = (says: string) =>
    askForAnother({ ...state, now: null }, now.answer, { reason: 'no path', says }, context)
  if (!value) return failed('its calls could not be made: a step was not a JSON object')
  if (typeof value['answer'] === 'string') return finishRounds(state, value['answer'], context)
  const calls = readCallList(value, context)
  if ('fault' in calls) return failed(calls.fault)
  if (now.calls.length >= maxSteps) return failed(`its calls took more than ${maxSteps} steps`)
  return { state: { ...state, now: { ...now, calls: [...now.calls, calls.calls] } } }
}

function readQuery(
  value: Record<string, JsonValue>,
  { functions }: RoundsContext,
): { query: string } | { fault: string } {
  const { query } = value
  if (typeof query !== 'string' || query.trim().length < 20 || query.length > 3000)
    return { fault: 'query should be a text of 20 to 3000 characters' }
  const text = query.trim().replace(/\s+/g, ' ')
  const named = functions.find((name) => text.includes(name))
  if (named !== undefined) return { fault: `it names the function ${named}` }
  return /\{\{|```/.test(text) ? { fault: 'it holds marks of a prompt' } : { query: text }
}

function readCallList(
  value: Record<string, JsonValue>,
  { functions }: RoundsContext,
): { calls: GoldenCall[] } | { fault: string } {
  const { calls } = value
  if (!Array.isArray(calls) || calls.length === 0 || calls.length > maxCalls)
    return { fault: `a step should have 1 to ${maxCalls} calls, or an answer` }
  const read: GoldenCall[] = []
  for (const call of calls) {
    if (!isRecord(call) || typeof call['name'] !== 'string' || !isRecord(call['arguments']))
      return { fault: 'a call should be {"name", "arguments"}' }
    if (!functions.includes(call['name']))
      return { fault: `there is no function ${call['name'].slice(0, 80)} in the list` }
    read.push({ name: call['name'], arguments: call['arguments'] })
  }
  return { calls: read }
}

function finishRounds(state: RoundsState, answer: string, context: RoundsContext): WritingTurn {
  const { now } = state
  const { seed, steps, like, index, id, caseOf } = context
  const { query, calls } = now!
  const outcome = checkWritten(
    { id, query, calls, answer: answer.trim() || '–', world: { seed, hidden: [] } },
    { steps, like },
  )
  if ('fault' in outcome)
    return askForAnother(
      { ...state, now: null },
      now!.answer,
      { reason: 'ambiguous or underived', says: outcome.fault },
      context,
    )
  const dialogue: DialogueTurn[] = [
    ...state.dialogue,
    {
      by: 'check',
      round: state.earlier.length + 1,
      says: 'every golden argument follows from the query or an earlier response',
    },
  ]
  return {
    done: [{ status: 'written', index, dialogue, case: caseOf(outcome.sample) } satisfies WrittenTask],
  }
}

interface RoundsFailure {
  reason: string
  says: string
}

/** Another query is asked for, or the rounds are over. */
function askForAnother(
  state: RoundsState,
  answer: string,
  { reason, says }: RoundsFailure,
  { rounds, index }: RoundsContext,
): WritingTurn {
  const round = state.earlier.length + 1
  const hasGeneratorTurn = state.dialogue.some((turn) => turn.by === 'generator' && turn.round === round)
  const dialogue: DialogueTurn[] = [
    ...state.dialogue,
    ...(hasGeneratorTurn
      ? []
      : [{ by: 'generator' as const, round, says: answer.slice(0, 20_000) || '(nothing)' }]),
    { by: 'check', round, says: says.slice(0, 4000) },
  ]
  if (round >= rounds)
    return { done: [{ status: 'rejected', index, dialogue, reason, detail: says.slice(0, 1000) }] }
  return {
    state: {
      earlier: [...state.earlier, { answer: answer.slice(0, 20_000), diagnosis: says }],
      dialogue,
      now: null,
    },
  }
}
