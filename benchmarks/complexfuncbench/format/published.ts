/**
 * The released format check: four steps, the first failure is reported to the model (README, Published
 * behaviour 4).
 */
import {
  type SampleConversation,
  type FunctionSchema,
  isObject,
  readNameList,
} from '../conversation/conversation.ts'
import type { PythonCall } from '../functions/free.ts'
import { type PythonValue, getPythonType } from '../python/value.ts'
import { listRepr, setRepr } from '../python/write.ts'

/** Thrown where the published evaluator crashes, and records nothing of the sample. */
export class EvaluatorCrash extends Error {}

const accepts: Readonly<Record<string, (value: PythonValue) => boolean>> = {
  string: (value) => typeof value === 'string',
  // True and False are integers in Python.
  number: (value) => ['bigint', 'number', 'boolean'].includes(typeof value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
}

export const findFunction = ({ functions }: Pick<SampleConversation, 'functions'>, name: string) =>
  functions.find((one) => one.name === name)

const describeTypeFault = (name: string, parameter: string, type: string, value: PythonValue) =>
  `Parameter ${parameter} of function ${name} should be a${type === 'array' ? 'n' : ''} ${type}, but <class '${getPythonType(value)}'> is provided.`
export const describeUndefined = (name: string) => `Function ${name} is not defined in the function list.`
export function describeMissing(
  { name, args }: PythonCall,
  required: readonly string[],
  missing: readonly string[],
): string {
  return `Function ${name} requires parameters ${listRepr(required)}, but ${listRepr([...args.keys()])} do not provide ${setRepr(missing)}`
}
export const describeUnknown = (name: string, unknown: readonly string[]) =>
  `Function ${name} does not have parameters ${setRepr(unknown)}`

/**
 * Finds the fault of a call, as the model is told; null where there is none.
 *
 * @throws EvaluatorCrash where the released check crashes
 */
export function findPublishedFault(
  conversation: Pick<SampleConversation, 'functions'>,
  call: PythonCall,
): string | null {
  const { name, args } = call
  const schema = findFunction(conversation, name)
  if (!schema) return describeUndefined(name)
  const { required, properties } = splitSchema(schema)
  const missing = required.filter((parameter) => !args.has(parameter))
  if (missing.length > 0) return describeMissing(call, required, missing)
  const unknown = [...args.keys()].filter((parameter) => !Object.hasOwn(properties, parameter))
  if (unknown.length > 0) return describeUnknown(name, unknown)
  for (const [parameter, value] of args) {
    const property = properties[parameter]
    if (!isObject(property) || property['type'] === undefined)
      throw new EvaluatorCrash(`the schema of ${parameter} of ${name} has no type`)
    const { type } = property
    // Other types are not checked, nor are items.
    if (typeof type === 'string' && Object.hasOwn(accepts, type) && !accepts[type]!(value))
      return describeTypeFault(name, parameter, type, value)
  }
  return null
}

function splitSchema({ name, parameters }: FunctionSchema) {
  const required = readNameList(parameters['required'])
  if (!required) throw new EvaluatorCrash(`the schema of ${name} has no list of required parameters`)
  const { properties } = parameters
  if (!isObject(properties)) throw new EvaluatorCrash(`the schema of ${name} has no properties`)
  return { required, properties }
}
