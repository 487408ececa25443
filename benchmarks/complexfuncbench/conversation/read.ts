/** Reads a sample in the published format, one JSON object a line (README, Published format). */
import type { JsonObject } from '@stateeval/contracts'
import { limits } from '../dialogue/session.ts'
import type { Call } from '../functions/free.ts'
import { NoJson, readJson } from '../python/read.ts'
import { type Dict, isDict, type Value } from '../python/value.ts'
import { dumps } from '../python/write.ts'
import type { Conversation, FunctionSchema, GoldenTurn } from './conversation.ts'

/** Why a line is no sample, as a sentence. */
export class BadSample extends Error {}
const bad = (says: string): never => {
  throw new BadSample(says)
}

/** The longest response, in characters: what a transcript takes. */
const longestResponse = 1_900_000
/**
 * The golden path has room in a dialogue with the usual limits: each step is a reply, and so is the final
 * text.
 */
const { turns: maxReplies, calls: maxCalls } = limits.usual

/** @throws BadSample with the reason */
export function readConversation(line: string): Conversation {
  const sample = json(line)
  if (!isDict(sample)) return bad('is not a JSON object')
  const id = text(sample, 'id')
  if (!/^[A-Za-z][\w-]{0,100}-\d+$/.test(id))
    bad(`has the id ${JSON.stringify(id.slice(0, 120))}; it should be <Domain>-<number>`)
  const functions = functionsIn(sample)
  const conversations = sample.get('conversations')
  if (!Array.isArray(conversations) || conversations.length < 4 || conversations.length % 2 !== 0)
    return bad(
      'should have a list `conversations`: the query, pairs of function calls and observations, and the final text',
    )
  const messages = conversations.map((message, at) =>
    isDict(message) ? message : bad(`conversations[${at}] is not an object`),
  )
  const turns: GoldenTurn[] = []
  for (let at = 1; at < messages.length - 1; at += 2) turns.push(turnAt(at, messages[at]!, messages[at + 1]!))
  if (turns.length >= maxReplies)
    bad(`has ${turns.length} golden steps; with the final text, a dialogue has at most ${maxReplies} replies`)
  if (turns.reduce((sum, { calls }) => sum + calls.length, 0) > maxCalls)
    bad(`has more than ${maxCalls} golden calls`)
  return {
    id,
    domain: id.slice(0, id.lastIndexOf('-')),
    query: content(messages, 0, 'user'),
    turns,
    functions,
    history: dumps(conversations.slice(0, -1), { ascii: false }),
    answer: content(messages, messages.length - 1, 'assistant'),
  }
}

function json(line: string): Value {
  try {
    return readJson(line)
  } catch (error) {
    if (!(error instanceof NoJson)) throw error
    return bad(`is not valid JSON: ${error.message}`)
  }
}

function text(of: Dict, field: string, where = ''): string {
  const value = of.get(field)
  return typeof value === 'string' && value !== '' ? value : bad(`${where}${field} should be a text`)
}

function content(messages: readonly Dict[], at: number, role: string): string {
  const message = messages[at]!
  if (message.get('role') !== role) bad(`conversations[${at}] should have the role ${role}`)
  return text(message, 'content', `conversations[${at}].`)
}

function functionsIn(sample: Dict): FunctionSchema[] {
  const list = sample.get('functions')
  if (!Array.isArray(list) || list.length === 0) return bad('has no list `functions`')
  return list.map((value, at) => {
    if (!isDict(value)) return bad(`functions[${at}] is not an object`)
    const parameters = value.get('parameters')
    if (!isDict(parameters)) return bad(`functions[${at}].parameters is not an object`)
    const description = value.get('description')
    return {
      name: text(value, 'name', `functions[${at}].`),
      ...(typeof description === 'string' && { description }),
      parameters: schemaOf(parameters, `functions[${at}].parameters`),
    }
  })
}

/** A schema goes to models, so it must be JSON: Python also writes NaN and Infinity. */
function schemaOf(parameters: Dict, where: string): JsonObject {
  try {
    return JSON.parse(dumps(parameters, { ascii: false })) as JsonObject
  } catch {
    return bad(`${where} contains NaN or Infinity, which is not JSON`)
  }
}

function turnAt(at: number, message: Dict, observation: Dict): GoldenTurn {
  const list = message.get('function_call')
  if (message.get('role') !== 'assistant' || !Array.isArray(list) || list.length === 0)
    return bad(`conversations[${at}] should be an assistant’s message with a list function_call`)
  const responses = observation.get('content')
  if (observation.get('role') !== 'observation' || !Array.isArray(responses))
    return bad(`conversations[${at + 1}] should be an observation with a list of responses`)
  if (responses.length !== list.length)
    bad(
      `conversations[${at + 1}] has ${responses.length} responses to the ${list.length} calls of conversations[${at}]`,
    )
  const texts = responses.map((response, n) => {
    const responseText = dumps(response, { ascii: false })
    return responseText.length <= longestResponse
      ? responseText
      : bad(
          `conversations[${at + 1}].content[${n}] has ${responseText.length} characters; the maximum is ${longestResponse}`,
        )
  })
  return {
    calls: list.map((value, n) => goldenCall(value, `conversations[${at}].function_call[${n}]`)),
    callTexts: list.map((value) => dumps(value, { ascii: true })),
    observations: responses,
    texts,
  }
}

function goldenCall(value: Value, where: string): Call {
  if (!isDict(value)) return bad(`${where} is not an object`)
  const args = value.get('arguments')
  if (!isDict(args)) return bad(`${where}.arguments is not an object`)
  return { name: text(value, 'name', `${where}.`), args }
}
