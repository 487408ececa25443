/**
 * Runs a list of calls over functions. `published` as the released code does (README, published behaviour
 * 10): arguments by position, references only where a whole argument is one. `sound`: arguments by name,
 * references wherever they stand.
 */
import { readWhole } from '../python/read.ts'
import { PyComplex, PyDict, isDict, formatPyJson, type PyValue, formatPyStr } from '../python/value.ts'
import { readReferencePart, listTextReferences, stripDollars } from '../references.ts'
import { basicFunctions, type PyFunction } from './basic.ts'
import { createFailure, type ListedCall, type CallsOutcome } from './calls.ts'
import { codingFunctions } from './coding.ts'
import { PyError, UnavailableError } from './errors.ts'
import { createWork, type WorkBudget } from './work.ts'

export type RunRules = 'published' | 'sound'
/** Fields that a run needs of a sample's tools. */
export interface RunTool {
  name: string
  parameters: string[]
  outputs: string[]
}

export const functions: Readonly<Record<string, PyFunction>> = { ...codingFunctions, ...basicFunctions }
const isImplemented = (name: string) => Object.hasOwn(functions, name)

class RunFailure extends Error {}
const fail = (says: string): never => {
  throw new RunFailure(says)
}

export function runFunctions(
  calls: readonly ListedCall[],
  tools: readonly RunTool[],
  rules: RunRules,
): CallsOutcome {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const results = new Map<string, PyDict>()
  const work = createWork()
  let last: PyValue = null
  for (const [at, call] of calls.entries()) {
    try {
      const tool = byName.get(call.name) ?? fail(`${call.name.slice(0, 60)} is not one of the tools`)
      const output =
        tool.outputs.length === 1 ? tool.outputs[0]! : fail(`${tool.name} has no single output parameter`)
      const label = getCallLabel(call, at, rules)
      const args = parseRunArguments(call)
      const values =
        rules === 'published' ? orderByPosition(args, results) : orderByNames(args, tool, results, work)
      const fn = isImplemented(call.name)
        ? functions[call.name]!
        : throwUnavailable(`${call.name} is not implemented here; import its Python source with --functions`)
      for (const value of values) work.take(value)
      last = callFunction(fn, values, work)
      work.take(last)
      results.set(label, new PyDict([[output, last]]))
    } catch (error) {
      if (error instanceof UnavailableError) return { outcome: 'unavailable', call: at, says: error.message }
      if (error instanceof RunFailure) return createFailure(at, error.message)
      if (error instanceof PyError) return createFailure(at, `${error.name}: ${error.message}`)
      throw error
    }
  }
  return calls.length === 0 ? createFailure(0, 'there is no call') : createValueOutcome(last)
}

/** A complex number without an imaginary part equals the float that it has. */
function createValueOutcome(value: PyValue): CallsOutcome {
  const result = { outcome: 'value', value: formatPyJson(value) } as const
  const equal = findReal(value)
  if (equal === value) return result
  return { ...result, foreign: { equals: equal === undefined ? null : formatPyJson(equal) } }
}
/** The value itself where no part of it is complex; undefined where a part has an imaginary part. */
function findReal(value: PyValue): PyValue | undefined {
  if (value instanceof PyComplex) return value.im === 0 ? value.re : undefined
  if (typeof value !== 'object' || value === null) return value
  const entries = [...value.entries()].map(([key, item]): [PyValue, PyValue | undefined] => [
    key,
    findReal(item),
  ])
  const items = entries.map(([, item]) => item)
  if ([...value.values()].every((item, at) => item === items[at])) return value
  if (items.includes(undefined)) return undefined
  return Array.isArray(value) ? (items as PyValue[]) : new PyDict(entries as [PyValue, PyValue][])
}
const throwUnavailable = (says: string): never => {
  throw new UnavailableError(says)
}

function getCallLabel({ label }: ListedCall, at: number, rules: RunRules): string {
  if (label !== undefined) return stripDollars(label)
  return rules === 'published' ? fail('the label is missing') : `call ${at + 1}`
}

function parseRunArguments({ arguments: text }: ListedCall): PyDict {
  let args: PyValue = null
  try {
    args = readWhole(text, 'lenient')
  } catch {
    fail('the arguments are missing')
  }
  return isDict(args) ? args : fail('the arguments are not an object')
}

/** In the order written; names are ignored. */
const orderByPosition = (args: PyDict, results: ReadonlyMap<string, PyDict>): PyValue[] =>
  [...args.values()].map((value) => {
    const text = typeof value === 'string' ? extractClosedReference(value) : null
    if (text === null) return value
    const dot = text.indexOf('.')
    const label = text.slice(1, dot < 0 ? undefined : dot)
    const path = dot < 0 ? '' : text.slice(dot + 1, text.lastIndexOf('$'))
    const result =
      results.get(dot < 0 ? stripDollars(label) : label) ?? fail(`${text.slice(0, 100)} refers to no result`)
    return result.get(path) ?? (result.has(path) ? null : fail(`${text.slice(0, 100)} names no output`))
  })
/** A text that is a whole reference, closed where it was not; null where it is none. */
function extractClosedReference(value: string): string | null {
  if (value.startsWith('$') && value.endsWith('$')) return value
  return value.startsWith('$var') ? `${value}$` : null
}

/**
 * Orders arguments by the names of the function's parameters, or of the tool's where they differ: then the
 * order of both maps one to the other.
 */
function orderByNames(
  args: PyDict,
  tool: RunTool,
  results: ReadonlyMap<string, PyDict>,
  work: WorkBudget,
): PyValue[] {
  const implementedNames = isImplemented(tool.name) ? functions[tool.name]!.parameters : tool.parameters
  const names = tool.parameters.every((name) => implementedNames.includes(name))
    ? implementedNames
    : tool.parameters
  const values: PyValue[] = []
  for (const [key, value] of args) {
    const place = names.indexOf(formatPyStr(key))
    if (place < 0) fail(`${tool.name} has no parameter ${formatPyStr(key).slice(0, 60)}`)
    values[place] = resolveReferences(value, results, { take: work.take })
  }
  for (let at = 0; at < values.length; at++)
    if (!Object.hasOwn(values, at)) fail(`the argument ${names[at]} is missing`)
  return values
}

/** How references are followed: to which part, and who counts what they bring along. */
interface FollowingRules {
  find?: typeof readReferencePart
  /** Throws where it becomes too much: a short text can refer to a long result many times. */
  take: (part: PyValue) => void
}

/**
 * A value with its references replaced, also in lists and objects; within a longer text by their text. Throws
 * where one leads nowhere.
 */
export function resolveReferences(
  value: PyValue,
  results: ReadonlyMap<string, PyValue>,
  following: FollowingRules,
): PyValue {
  const { find = readReferencePart, take } = following
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, results, following))
  if (isDict(value))
    return new PyDict(
      [...value].map(([key, item]): [PyValue, PyValue] => [key, resolveReferences(item, results, following)]),
    )
  if (typeof value !== 'string') return value
  const references = listTextReferences(value, (label) => results.has(label))
  let text = ''
  let from = 0
  for (const { label, path, start, end } of references) {
    const result = results.get(label)
    if (result === undefined)
      fail(`${value.slice(0, 100)} refers to ${label}, which no earlier call produced`)
    const part = find(result!, path)
    if (part === undefined) fail(`${value.slice(0, 100)}: there is no ${path.slice(0, 60)} in the result`)
    take(part!)
    if (start === 0 && end === value.length) return part!
    text += value.slice(from, start) + formatPyStr(part!)
    from = end
  }
  return text + value.slice(from)
}
function callFunction(fn: PyFunction, values: PyValue[], work: WorkBudget): PyValue {
  const { parameters, required, cost } = fn
  if (values.length > parameters.length)
    throw new PyError(
      'TypeError',
      `takes ${parameters.length} positional arguments but ${values.length} were given`,
    )
  if (values.length < required)
    throw new PyError('TypeError', `missing the argument ${parameters[values.length]}`)
  if (cost) work.spend(cost(...values))
  return fn.call(...values)
}

/** Tells whether a list of calls failed by itself. */
export const isFailure = (error: unknown): error is Error => error instanceof RunFailure
