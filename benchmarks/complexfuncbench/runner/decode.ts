/** The arguments of a call: JSON text that a model wrote. */
import type { PythonCall } from '../functions/free.ts'
import { NoJson, readJson } from '../python/read.ts'
import { isDict, isTrue } from '../python/value.ts'
import type { WrittenCall } from './runner.ts'

/**
 * `invalid`: no JSON. `other`: JSON, but no object. null is an empty object, and so are an empty list and an
 * empty text.
 */
type DecodedCall = { call: PythonCall } | { fault: 'invalid' | 'other'; says: string }

export function decode({ name, arguments: text, broken }: WrittenCall): DecodedCall {
  if (broken !== undefined) return { fault: 'invalid', says: `form: ${broken}` }
  try {
    const value = readJson(text)
    if (isDict(value)) return { call: { name, args: value } }
    const isEmpty = value === null || ((typeof value === 'string' || Array.isArray(value)) && !isTrue(value))
    return isEmpty
      ? { call: { name, args: new Map() } }
      : { fault: 'other', says: 'arguments: they are JSON, but not an object' }
  } catch (error) {
    if (error instanceof NoJson)
      return { fault: 'invalid', says: `arguments: they are not valid JSON: ${error.message}` }
    throw error
  }
}
