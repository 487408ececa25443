/**
 * The format check of the policy `sound`: before the mapping, for every call, with all types of JSON Schema
 * that schemas here use.
 */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import {
  type SampleConversation,
  isObject,
  readNameList,
  getParameterSchema,
} from '../conversation/conversation.ts'
import type { PythonCall } from '../functions/free.ts'
import { arePythonEqual, isDict, type PythonValue, getPythonType } from '../python/value.ts'
import { readJson } from '../python/read.ts'
import { formatRepr } from '../python/write.ts'
import { findFunction, describeMissing, describeUndefined, describeUnknown } from './published.ts'
import type { CallError } from '../dialogue/decisions.ts'

const isInteger = (value: PythonValue) =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))

const accepts: Readonly<Record<string, (value: PythonValue) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: isInteger,
  number: (value) => typeof value === 'bigint' || typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => isDict(value),
  null: (value) => value === null,
}

/** Finds the fault of a call, as the model is told, with its type of error; null where there is none. */
export function findSoundFault(
  conversation: Pick<SampleConversation, 'functions'>,
  call: PythonCall,
): CallError | null {
  const { name, args } = call
  const schema = findFunction(conversation, name)
  if (!schema) return { type: 'func_error', says: describeUndefined(name) }
  const required = readNameList(schema.parameters['required']) ?? []
  const missing = required.filter((parameter) => !args.has(parameter))
  if (missing.length > 0) return { type: 'param_missing', says: describeMissing(call, required, missing) }
  const { properties } = schema.parameters
  const unknown = [...args.keys()].filter(
    (parameter) => !isObject(properties) || !Object.hasOwn(properties, parameter),
  )
  if (unknown.length > 0) return { type: 'param_hallucination', says: describeUnknown(name, unknown) }
  for (const [parameter, value] of args) {
    const fault = findValueFault(value, getParameterSchema(schema, parameter), parameter)
    if (fault)
      return { type: 'value_error', says: `Parameter ${fault.where} of function ${name} ${fault.says}` }
  }
  return null
}

interface FormatFault {
  where: string
  says: string
}

/** The first place in a value that its schema does not allow. */
function findValueFault(value: PythonValue, schema: JsonValue | null, where: string): FormatFault | null {
  if (!isObject(schema ?? undefined)) return null
  const rules = schema as JsonObject
  const types = readNameList(rules['type']) ?? (typeof rules['type'] === 'string' ? [rules['type']] : [])
  const knownTypes = types.filter((type) => Object.hasOwn(accepts, type))
  if (
    types.length > 0 &&
    knownTypes.length === types.length &&
    !knownTypes.some((type) => accepts[type]!(value))
  ) {
    const article = /^[aeiou]/.test(knownTypes[0]!) ? 'an' : 'a'
    return {
      where,
      says: `should be ${article} ${knownTypes.join(' or ')}, but <class '${getPythonType(value)}'> is provided.`,
    }
  }
  const { enum: allowed } = rules
  if (Array.isArray(allowed) && !allowed.some((one) => arePythonEqual(toPythonValue(one), value)))
    return {
      where,
      says: `should be one of ${formatRepr(allowed.map(toPythonValue))}, but ${formatRepr(value)} is provided.`,
    }
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      const fault = findValueFault(item, rules['items'] ?? null, `${where}[${at}]`)
      if (fault) return fault
    }
  }
  return isDict(value) ? findMembersFault(value, rules, where) : null
}

function findMembersFault(
  value: ReadonlyMap<string, PythonValue>,
  rules: JsonObject,
  where: string,
): FormatFault | null {
  const missing = (readNameList(rules['required']) ?? []).find((name) => !value.has(name))
  if (missing !== undefined) return { where, says: `lacks ${missing}.` }
  const { properties } = rules
  if (!isObject(properties)) return null
  for (const [name, member] of value) {
    if (!Object.hasOwn(properties, name)) {
      if (rules['additionalProperties'] === false) return { where, says: `does not have ${name}.` }
      continue
    }
    const fault = findValueFault(member, properties[name]!, `${where}.${name}`)
    if (fault) return fault
  }
  return null
}

const toPythonValue = (json: JsonValue): PythonValue => readJson(JSON.stringify(json))

/** The call with the defaults that its function's schema states for what it leaves out. */
export function withDefaults(conversation: SampleConversation, { name, args }: PythonCall): PythonCall {
  const schema = findFunction(conversation, name)
  const properties = schema?.parameters['properties']
  if (!isObject(properties)) return { name, args }
  const defaults = Object.entries(properties).flatMap(([parameter, property]) =>
    !args.has(parameter) && isObject(property) && property['default'] !== undefined
      ? [[parameter, toPythonValue(property['default'])] as const]
      : [],
  )
  return { name, args: new Map([...args, ...defaults]) }
}
