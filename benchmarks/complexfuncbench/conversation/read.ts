/** Reads a sample in the published format, one JSON object a line (README, Published format). */
import type { JsonObject } from '@stateeval/contracts'
import { limits } from '../dialogue/session.ts'
import type { PythonCall } from '../functions/free.ts'
import { NoJson, readJson } from '../python/read.ts'
import { type PythonDict, isDict, type PythonValue } from '../python/value.ts'
import { dumpJson } from '../python/write.ts'
import type { SampleConversation, FunctionSchema, GoldenTurn } from './conversation.ts'

/** Why a line is no sample, as a sentence. */
export class BadSample extends Error {}
const rejectSample = (says: string): never => {
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
export function readConversation(line: string): SampleConversation {
  const sample = parseSampleLine(line)
  if (!isDict(sample)) return rejectSample('is not a JSON object')
  const id = readTextField(sample, 'id')
  if (!/^[A-Za-z][\w-]{0,100}-\d+$/.test(id))
    rejectSample(`has the id ${JSON.stringify(id.slice(0, 120))}; it should be <Domain>-<number>`)
  const functions = readFunctions(sample)
  const conversations = sample.get('conversations')
  if (!Array.isArray(conversations) || conversations.length < 4 || conversations.length % 2 !== 0)
    return rejectSample(
      'should have a list `conversations`: the query, pairs of function calls and observations, and the final text',
    )
  const messages = conversations.map((message, at) =>
    isDict(message) ? message : rejectSample(`conversations[${at}] is not an object`),
  )
  const turns: GoldenTurn[] = []
  for (let at = 1; at < messages.length - 1; at += 2)
    turns.push(readTurn(at, messages[at]!, messages[at + 1]!))
  if (turns.length >= maxReplies)
    rejectSample(
      `has ${turns.length} golden steps; with the final text, a dialogue has at most ${maxReplies} replies`,
    )
  if (turns.reduce((sum, { calls }) => sum + calls.length, 0) > maxCalls)
    rejectSample(`has more than ${maxCalls} golden calls`)
  return {
    id,
    domain: id.slice(0, id.lastIndexOf('-')),
    query: readMessageContent(messages, 0, 'user'),
    turns,
    functions,
    history: dumpJson(conversations.slice(0, -1), { ascii: false }),
    answer: readMessageContent(messages, messages.length - 1, 'assistant'),
  }
}

function parseSampleLine(line: string): PythonValue {
  try {
    return readJson(line)
  } catch (error) {
    if (!(error instanceof NoJson)) throw error
    return rejectSample(`is not valid JSON: ${error.message}`)
  }
}

function readTextField(of: PythonDict, field: string, where = ''): string {
  const value = of.get(field)
  return typeof value === 'string' && value !== '' ? value : rejectSample(`${where}${field} should be a text`)
}

function readMessageContent(messages: readonly PythonDict[], at: number, role: string): string {
  const message = messages[at]!
  if (message.get('role') !== role) rejectSample(`conversations[${at}] should have the role ${role}`)
  return readTextField(message, 'content', `conversations[${at}].`)
}

function readFunctions(sample: PythonDict): FunctionSchema[] {
  const list = sample.get('functions')
  if (!Array.isArray(list) || list.length === 0) return rejectSample('has no list `functions`')
  return list.map((value, at) => {
    if (!isDict(value)) return rejectSample(`functions[${at}] is not an object`)
    const parameters = value.get('parameters')
    if (!isDict(parameters)) return rejectSample(`functions[${at}].parameters is not an object`)
    const description = value.get('description')
    return {
      name: readTextField(value, 'name', `functions[${at}].`),
      ...(typeof description === 'string' && { description }),
      parameters: readSchema(parameters, `functions[${at}].parameters`),
    }
  })
}

/** A schema goes to models, so it must be JSON: Python also writes NaN and Infinity. */
function readSchema(parameters: PythonDict, where: string): JsonObject {
  try {
    return JSON.parse(dumpJson(parameters, { ascii: false })) as JsonObject
  } catch {
    return rejectSample(`${where} contains NaN or Infinity, which is not JSON`)
  }
}

function readTurn(at: number, message: PythonDict, observation: PythonDict): GoldenTurn {
  const list = message.get('function_call')
  if (message.get('role') !== 'assistant' || !Array.isArray(list) || list.length === 0)
    return rejectSample(`conversations[${at}] should be an assistant’s message with a list function_call`)
  const responses = observation.get('content')
  if (observation.get('role') !== 'observation' || !Array.isArray(responses))
    return rejectSample(`conversations[${at + 1}] should be an observation with a list of responses`)
  if (responses.length !== list.length)
    rejectSample(
      `conversations[${at + 1}] has ${responses.length} responses to the ${list.length} calls of conversations[${at}]`,
    )
  const texts = responses.map((response, n) => {
    const responseText = dumpJson(response, { ascii: false })
    return responseText.length <= longestResponse
      ? responseText
      : rejectSample(
          `conversations[${at + 1}].content[${n}] has ${responseText.length} characters; the maximum is ${longestResponse}`,
        )
  })
  return {
    calls: list.map((value, n) => readGoldenCall(value, `conversations[${at}].function_call[${n}]`)),
    callTexts: list.map((value) => dumpJson(value, { ascii: true })),
    observations: responses,
    texts,
  }
}

function readGoldenCall(value: PythonValue, where: string): PythonCall {
  if (!isDict(value)) return rejectSample(`${where} is not an object`)
  const args = value.get('arguments')
  if (!isDict(args)) return rejectSample(`${where}.arguments is not an object`)
  return { name: readTextField(value, 'name', `${where}.`), args }
}
