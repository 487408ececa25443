/** A body as its operation wants it, or the problem with it. Pure: in place, and in threads. */
import {
  type HttpOperation,
  findInfiniteNumber,
  mostLevels,
  ProblemError,
  findDeepMember,
} from '@stateeval/contracts'
import { parse } from 'secure-json-parse'
import { createChecker } from '../validation.ts'

/** The bytes of a body; the last segment may be longer than what is left of them. */
export interface BodyBytes {
  segments: readonly Uint8Array[]
  length: number
}

/** Bodies of at most this size stay in the chunks in which they arrived; larger ones in large segments. */
export const smallBytes = 2 ** 20

/** Throws a problem where it is not JSON, or has a key that would set a prototype. */
export function parseBody({ segments, length }: BodyBytes): unknown {
  try {
    return parse(Buffer.concat(segments, length).toString(), null, {
      protoAction: 'error',
      constructorAction: 'error',
    })
  } catch {
    // The parser doesn't tell which of the two it is.
    throw new ProblemError(
      'malformed-body',
      'the body is not valid JSON, or has a key that would set a prototype; check quotes, commas, braces, and for __proto__',
    )
  }
}

/** The body with its defaults. Throws a problem that names the field at fault. */
export function checkBody({ body: schema }: HttpOperation, value: unknown): unknown {
  if (!schema) return undefined
  const deep = findDeepMember(value)
  if (deep !== null)
    throw new ProblemError(
      'validation-failed',
      `${deep || 'the body'} is nested more than ${mostLevels} levels deep`,
      deep,
    )
  const infinite = findInfiniteNumber(value)
  if (infinite !== null)
    throw new ProblemError(
      'validation-failed',
      `${infinite || 'the body'} is a number beyond ${Number.MAX_VALUE}`,
      infinite,
    )
  const { complete, fault } = createChecker(schema)
  const completedValue = complete(value)
  const schemaFault = fault(completedValue)
  if (!schemaFault) return completedValue
  const { field, says } = schemaFault
  throw new ProblemError('validation-failed', `${field || 'the body'} ${says}`, field)
}
