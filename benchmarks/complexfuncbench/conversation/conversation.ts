/**
 * One published sample: a query, the functions that may be called, and the golden turns with their responses.
 */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import type { PythonCall } from '../functions/free.ts'
import type { PythonValue } from '../python/value.ts'

export interface FunctionSchema {
  name: string
  description?: string
  /** Parameters as published; hostile if they are no object. */
  parameters: JsonObject
}

export interface GoldenTurn {
  calls: readonly PythonCall[]
  /**
   * Each call as it was written, in Python's JSON with ASCII escapes: the keys of the published table of free
   * calls.
   */
  callTexts: readonly string[]
  /** The response to each call, in the same order. */
  observations: readonly PythonValue[]
  /** The same as the text that a model reads. */
  texts: readonly string[]
}

export interface SampleConversation {
  /** `<Domain>-<n>`. */
  id: string
  domain: string
  query: string
  turns: readonly GoldenTurn[]
  functions: readonly FunctionSchema[]
  /** The published turns without the final text, as the correctness judge reads them. */
  history: string
  /** The final text. */
  answer: string
}

/** A golden call in the order of the path. */
export interface GoldenPlace {
  /** Its place among all golden calls. */
  id: number
  turn: number
  call: PythonCall
  callText: string
  /** The recorded response, as a value and as the text that a model reads. */
  observation: PythonValue
  text: string
}

/** The golden calls of each turn. */
export function listGoldenTurns({ turns }: SampleConversation): GoldenPlace[][] {
  let id = 0
  return turns.map(({ calls, callTexts, observations, texts }, turn) =>
    calls.map((call, at) => ({
      id: id++,
      turn,
      call,
      callText: callTexts[at]!,
      observation: observations[at]!,
      text: texts[at]!,
    })),
  )
}

/** A parameter's schema; null where the function has no such parameter. */
export function getParameterSchema({ parameters }: FunctionSchema, name: string): JsonValue | null {
  const { properties } = parameters
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name]! : null
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const readNameList = (value: JsonValue | undefined): string[] | null =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : null
