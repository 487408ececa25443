/**
 * A mock host made from specifications of version 1: a call passes if its API exists, its required parameters
 * are given, and its values fit their types; its response has the declared outputs. Unknown parameters are
 * ignored, as web APIs do.
 */
import { splitReferencePath } from '@stateeval/program'
import type { ApiSpecification } from '../dataset/library.ts'
import { readWhole } from '../python/read.ts'
import { PyDict, isDict, type PyValue, formatPyStr } from '../python/value.ts'
import { isResultName, listArgumentReferences, stripDollars } from '../references.ts'
import { createFailure, type ListedCall, type CallsOutcome } from './calls.ts'
import { isFailure, resolveReferences } from './run.ts'

/** Tells whether a mock answers all calls. */
export const isPassingMock = (
  calls: readonly ListedCall[],
  apis: ReadonlyMap<string, ApiSpecification>,
): boolean => runMock(calls, apis).outcome === 'value'

export function runMock(
  calls: readonly ListedCall[],
  apis: ReadonlyMap<string, ApiSpecification>,
): CallsOutcome {
  /** Names of the APIs whose responses the labels stand for, by label. */
  const results = new Map<string, PyValue>()
  const find = (result: PyValue, path: string) => readMockOutput(apis.get(formatPyStr(result))!, path)
  for (const [at, call] of calls.entries()) {
    if (isResultName(call.name)) continue
    const api = apis.get(call.name)
    if (!api) return createFailure(at, `there is no API ${call.name.slice(0, 60)}`)
    let args: PyValue
    try {
      args = readWhole(call.arguments, 'lenient')
    } catch {
      return createFailure(at, 'the arguments are missing')
    }
    if (!isDict(args)) return createFailure(at, 'the arguments are not an object')
    const fault = findArgumentFault(args, api)
    if (fault !== null) return createFailure(at, fault)
    try {
      const values = resolveReferences(args, results, { find, take: () => {} }) as PyDict
      const misfit = findMisfit(values, api)
      if (misfit !== null) return createFailure(at, misfit)
    } catch (error) {
      if (isFailure(error)) return createFailure(at, error.message)
      throw error
    }
    results.set(stripDollars(call.label ?? `call ${at + 1}`), api.name)
  }
  return calls.length === 0 ? createFailure(0, 'there is no call') : { outcome: 'value', value: 'null' }
}

/** Finds why the host would answer 400; null where nothing. */
function findArgumentFault(args: PyDict, api: ApiSpecification): string | null {
  const { name, parameters } = api
  for (const [parameter, { required, allowed }] of Object.entries(parameters)) {
    const value = args.get(parameter)
    if (value === undefined) {
      if (required) return `${name} requires ${parameter}`
      continue
    }
    if (listArgumentReferences(new PyDict([[parameter, value]])).length > 0) continue
    if (allowed && !allowed.includes(formatPyStr(value)))
      return `${parameter} of ${name} may not be ${formatPyStr(value).slice(0, 60)}`
  }
  return findMisfit(args, api)
}

/** A value of another type than its parameter; of what is referred to, the declared type counts. */
function findMisfit(args: PyDict, { name, parameters }: ApiSpecification): string | null {
  for (const [parameter, { type }] of Object.entries(parameters)) {
    const value = args.get(parameter)
    if (value === undefined || listArgumentReferences(new PyDict([[parameter, value]])).length > 0) continue
    if (!fitsQuery(value, type))
      return `${parameter} of ${name} must be a ${type}, not ${formatPyStr(value).slice(0, 60)}`
  }
  return null
}

/** In a query, numbers and booleans are texts. */
function fitsQuery(value: PyValue, type: string | null): boolean {
  switch (type?.toLowerCase()) {
    case 'number':
    case 'integer':
      return /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(formatPyStr(value).trim())
    case 'boolean':
      return /^(true|false)$/i.test(formatPyStr(value))
    default:
      return true
  }
}

/**
 * The response's value at a path of an output parameter; undefined where it has none. Nested parts exist
 * where their beginning does.
 */
function readMockOutput(api: ApiSpecification, path: string): PyValue | undefined {
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
