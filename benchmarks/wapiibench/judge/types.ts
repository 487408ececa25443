/**
 * The judgement of one request: of its endpoint, and of every argument. The words are the published
 * evaluator's.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { RequestLocation } from '../specification/types.ts'

export type EndpointVerdict = 'CORRECT' | 'WRONG_ENDPOINT' | 'NONEXISTENT_ENDPOINT'
type ArgumentVerdict = 'CORRECT' | 'INCORRECT_VALUE' | 'MISSING_KEY' | 'UNNECESSARY_KEY' | 'ILLEGAL_KEY'
export type ErrorVerdict =
  | 'TIMEOUT'
  | 'UNSATISFIABLE_CONSTRAINTS'
  | 'ABSENT_REQUEST'
  | 'INCOMPLETE_REQUEST'
  | 'EXECUTION_ERROR'

export interface JudgedArgument {
  location: RequestLocation
  name: string
  verdict: ArgumentVerdict
  expected?: JsonValue
  actual?: JsonValue
  /** Why it is illegal or unnecessary. */
  why?: string
}
export type RequestJudgement =
  | { error: ErrorVerdict; says: string; expected: Partial<Record<RequestLocation, number>> }
  | { url: EndpointVerdict; method: EndpointVerdict; says: string[]; arguments: JudgedArgument[] }

/** A request as it is expected or was made. What is missing is undefined. */
export interface RequestConfig {
  url: string
  method: string
  headers?: JsonValue
  params?: JsonValue
  data?: JsonValue
}
export type ComparedFields = Partial<Record<RequestLocation, JsonValue>>
