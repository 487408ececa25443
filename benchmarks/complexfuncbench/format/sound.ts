/**
 * The format check of the policy `sound`: before the mapping, for every call, with all types of JSON Schema
 * that schemas here use.
 */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import { type Conversation, isObject, namesOf, propertyOf } from '../conversation/conversation.ts'
import type { Call } from '../functions/free.ts'
import { equal, isDict, type Value, typeName } from '../python/value.ts'
import { readJson } from '../python/read.ts'
import { repr } from '../python/write.ts'
import { functionOf, missingSays, undefinedSays, unknownSays } from './published.ts'
import type { CallError } from '../dialogue/decisions.ts'

const isInteger = (value: Value) =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))

const accepts: Readonly<Record<string, (value: Value) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: isInteger,
  number: (value) => typeof value === 'bigint' || typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => isDict(value),
  null: (value) => value === null,
}

/**
 * Finds the fault of a call, as the model is told, and which type of error that is; null where nothing is.
 */
export function soundFault(conversation: Pick<Conversation, 'functions'>, call: Call): CallError | null {
  const { name, args } = call
  const schema = functionOf(conversation, name)
  if (!schema) return { type: 'func_error', says: undefinedSays(name) }
  const required = namesOf(schema.parameters['required']) ?? []
  const missing = required.filter((parameter) => !args.has(parameter))
  if (missing.length > 0) return { type: 'param_missing', says: missingSays(call, required, missing) }
  const { properties } = schema.parameters
  const unknown = [...args.keys()].filter(
    (parameter) => !isObject(properties) || !Object.hasOwn(properties, parameter),
  )
  if (unknown.length > 0) return { type: 'param_hallucination', says: unknownSays(name, unknown) }
  for (const [parameter, value] of args) {
    const fault = faultOf(value, propertyOf(schema, parameter), parameter)
    if (fault)
      return { type: 'value_error', says: `Parameter ${fault.where} of function ${name} ${fault.says}` }
  }
  return null
}

interface Fault {
  where: string
  says: string
}

/** The first place in a value that its schema does not allow. */
function faultOf(value: Value, schema: JsonValue | null, where: string): Fault | null {
  if (!isObject(schema ?? undefined)) return null
  const rules = schema as JsonObject
  const types = namesOf(rules['type']) ?? (typeof rules['type'] === 'string' ? [rules['type']] : [])
  const knownTypes = types.filter((type) => Object.hasOwn(accepts, type))
  if (
    types.length > 0 &&
    knownTypes.length === types.length &&
    !knownTypes.some((type) => accepts[type]!(value))
  ) {
    const article = /^[aeiou]/.test(knownTypes[0]!) ? 'an' : 'a'
    return {
      where,
      says: `should be ${article} ${knownTypes.join(' or ')}, but <class '${typeName(value)}'> is provided.`,
    }
  }
  const { enum: allowed } = rules
  if (Array.isArray(allowed) && !allowed.some((one) => equal(valueOf(one), value)))
    return { where, says: `should be one of ${repr(allowed.map(valueOf))}, but ${repr(value)} is provided.` }
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      const fault = faultOf(item, rules['items'] ?? null, `${where}[${at}]`)
      if (fault) return fault
    }
  }
  return isDict(value) ? faultOfMembers(value, rules, where) : null
}

function faultOfMembers(value: ReadonlyMap<string, Value>, rules: JsonObject, where: string): Fault | null {
  const missing = (namesOf(rules['required']) ?? []).find((name) => !value.has(name))
  if (missing !== undefined) return { where, says: `lacks ${missing}.` }
  const { properties } = rules
  if (!isObject(properties)) return null
  for (const [name, member] of value) {
    if (!Object.hasOwn(properties, name)) {
      if (rules['additionalProperties'] === false) return { where, says: `does not have ${name}.` }
      continue
    }
    const fault = faultOf(member, properties[name]!, `${where}.${name}`)
    if (fault) return fault
  }
  return null
}

export const valueOf = (json: JsonValue): Value => readJson(JSON.stringify(json))

/** The call with the defaults that its function's schema states for what it leaves out. */
export function withDefaults(conversation: Conversation, { name, args }: Call): Call {
  const schema = functionOf(conversation, name)
  const properties = schema?.parameters['properties']
  if (!isObject(properties)) return { name, args }
  const defaults = Object.entries(properties).flatMap(([parameter, property]) =>
    !args.has(parameter) && isObject(property) && property['default'] !== undefined
      ? [[parameter, valueOf(property['default'])] as const]
      : [],
  )
  return { name, args: new Map([...args, ...defaults]) }
}
