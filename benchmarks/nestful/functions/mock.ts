/**
 * A mock host made from specifications of version 1: a call passes if its API exists, its required parameters
 * are given, and its values fit their types; its response has the declared outputs. Unknown parameters are
 * ignored, as web APIs do.
 */
import { splitReferencePath } from '@stateeval/program'
import type { Api } from '../dataset/library.ts'
import { readWhole } from '../python/read.ts'
import { Dict, isDict, type Py, str } from '../python/value.ts'
import { isResultName, referencesOf, withoutDollars } from '../references.ts'
import { failedAt, type ListedCall, type Outcome } from './calls.ts'
import { isFailure, resolved } from './run.ts'

/** Tells whether a mock answers all calls. */
export const passes = (calls: readonly ListedCall[], apis: ReadonlyMap<string, Api>): boolean =>
  runMock(calls, apis).outcome === 'value'

export function runMock(calls: readonly ListedCall[], apis: ReadonlyMap<string, Api>): Outcome {
  /** Responses by label: the name of the API whose response it is. */
  const results = new Map<string, Py>()
  const find = (result: Py, path: string) => outputOf(apis.get(str(result))!, path)
  for (const [at, call] of calls.entries()) {
    if (isResultName(call.name)) continue
    const api = apis.get(call.name)
    if (!api) return failedAt(at, `there is no API ${call.name.slice(0, 60)}`)
    let args: Py
    try {
      args = readWhole(call.arguments, 'lenient')
    } catch {
      return failedAt(at, 'the arguments are missing')
    }
    if (!isDict(args)) return failedAt(at, 'the arguments are not an object')
    const fault = faultIn(args, api)
    if (fault !== null) return failedAt(at, fault)
    try {
      const values = resolved(args, results, { find, take: () => {} }) as Dict
      const misfit = misfitIn(values, api)
      if (misfit !== null) return failedAt(at, misfit)
    } catch (error) {
      if (isFailure(error)) return failedAt(at, error.message)
      throw error
    }
    results.set(withoutDollars(call.label ?? `call ${at + 1}`), api.name)
  }
  return calls.length === 0 ? failedAt(0, 'there is no call') : { outcome: 'value', value: 'null' }
}

/** Finds why the host would answer 400; null where nothing. */
function faultIn(args: Dict, api: Api): string | null {
  const { name, parameters } = api
  for (const [parameter, { required, allowed }] of Object.entries(parameters)) {
    const value = args.get(parameter)
    if (value === undefined) {
      if (required) return `${name} requires ${parameter}`
      continue
    }
    if (referencesOf(new Dict([[parameter, value]])).length > 0) continue
    if (allowed && !allowed.includes(str(value)))
      return `${parameter} of ${name} may not be ${str(value).slice(0, 60)}`
  }
  return misfitIn(args, api)
}

/** A value of another type than its parameter; of what is referred to, the declared type counts. */
function misfitIn(args: Dict, { name, parameters }: Api): string | null {
  for (const [parameter, { type }] of Object.entries(parameters)) {
    const value = args.get(parameter)
    if (value === undefined || referencesOf(new Dict([[parameter, value]])).length > 0) continue
    if (!fits(value, type)) return `${parameter} of ${name} must be a ${type}, not ${str(value).slice(0, 60)}`
  }
  return null
}

/** In a query, numbers and booleans are texts. */
function fits(value: Py, type: string | null): boolean {
  switch (type?.toLowerCase()) {
    case 'number':
    case 'integer':
      return /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(str(value).trim())
    case 'boolean':
      return /^(true|false)$/i.test(str(value))
    default:
      return true
  }
}

/**
 * The response's value at a path of an output parameter; undefined where it has none. Nested parts exist
 * where their beginning does.
 */
export function outputOf(api: Api, path: string): Py | undefined {
  if (path === '') return `${api.name}`
  const first = splitReferencePath(path)[0]
  const type = Object.hasOwn(api.outputs, path)
    ? api.outputs[path]
    : typeof first === 'string' && Object.hasOwn(api.outputs, first)
      ? 'string'
      : undefined
  if (type === undefined) return undefined
  switch (type.toLowerCase()) {
    case 'number':
    case 'integer':
      return 7n
    case 'boolean':
      return true
    default:
      return `${api.name} ${path}`
  }
}
