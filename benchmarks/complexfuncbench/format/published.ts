/**
 * The released format check: four steps, the first failure is told to the model (README, Published behaviour
 * 4).
 */
import { type Conversation, type FunctionSchema, isObject, namesOf } from '../conversation/conversation.ts'
import type { Call } from '../functions/free.ts'
import { type Value, typeName } from '../python/value.ts'
import { listRepr, setRepr } from '../python/write.ts'

/** A crash of the published evaluator: it crashes, and nothing is recorded of the sample. */
export class Crash extends Error {}

const accepts: Readonly<Record<string, (value: Value) => boolean>> = {
  string: (value) => typeof value === 'string',
  // True and False are integers in Python.
  number: (value) => ['bigint', 'number', 'boolean'].includes(typeof value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
}

export const functionOf = ({ functions }: Pick<Conversation, 'functions'>, name: string) =>
  functions.find((one) => one.name === name)

export const typeSays = (name: string, parameter: string, type: string, value: Value) =>
  `Parameter ${parameter} of function ${name} should be a${type === 'array' ? 'n' : ''} ${type}, but <class '${typeName(value)}'> is provided.`
export const undefinedSays = (name: string) => `Function ${name} is not defined in the function list.`
export function missingSays(
  { name, args }: Call,
  required: readonly string[],
  missing: readonly string[],
): string {
  return `Function ${name} requires parameters ${listRepr(required)}, but ${listRepr([...args.keys()])} do not provide ${setRepr(missing)}`
}
export const unknownSays = (name: string, unknown: readonly string[]) =>
  `Function ${name} does not have parameters ${setRepr(unknown)}`

/**
 * Finds the fault of a call, as the model is told; null where nothing is. @throws Crash as the released check
 * does
 */
export function publishedFault(conversation: Pick<Conversation, 'functions'>, call: Call): string | null {
  const { name, args } = call
  const schema = functionOf(conversation, name)
  if (!schema) return undefinedSays(name)
  const { required, properties } = partsOf(schema)
  const missing = required.filter((parameter) => !args.has(parameter))
  if (missing.length > 0) return missingSays(call, required, missing)
  const unknown = [...args.keys()].filter((parameter) => !Object.hasOwn(properties, parameter))
  if (unknown.length > 0) return unknownSays(name, unknown)
  for (const [parameter, value] of args) {
    const property = properties[parameter]
    if (!isObject(property) || property['type'] === undefined)
      throw new Crash(`the schema of ${parameter} of ${name} has no type`)
    const { type } = property
    // Other types are not checked, nor are items.
    if (typeof type === 'string' && Object.hasOwn(accepts, type) && !accepts[type]!(value))
      return typeSays(name, parameter, type, value)
  }
  return null
}

function partsOf({ name, parameters }: FunctionSchema) {
  const required = namesOf(parameters['required'])
  if (!required) throw new Crash(`the schema of ${name} has no list of required parameters`)
  const { properties } = parameters
  if (!isObject(properties)) throw new Crash(`the schema of ${name} has no properties`)
  return { required, properties }
}
