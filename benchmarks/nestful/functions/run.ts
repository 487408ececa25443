/**
 * Runs a list of calls over functions. `published` as the released code does (README, published behaviour
 * 10): arguments by position, references only where a whole argument is one. `sound`: arguments by name,
 * references wherever they stand.
 */
import { readWhole } from '../python/read.ts'
import { Complex, Dict, isDict, jsonOf, type Py, str } from '../python/value.ts'
import { partOf, referencesIn, withoutDollars } from '../references.ts'
import { basicFunctions, type PyFunction } from './basic.ts'
import { failedAt, type ListedCall, type Outcome } from './calls.ts'
import { codingFunctions } from './coding.ts'
import { PyError, Unavailable } from './errors.ts'
import { createWork, type Work } from './work.ts'

export type Rules = 'published' | 'sound'
/** Fields that a run needs of a sample's tools. */
export interface RunTool {
  name: string
  parameters: string[]
  outputs: string[]
}

export const functions: Readonly<Record<string, PyFunction>> = { ...codingFunctions, ...basicFunctions }
export const isImplemented = (name: string) => Object.hasOwn(functions, name)

class Failure extends Error {}
const fail = (says: string): never => {
  throw new Failure(says)
}

export function runFunctions(calls: readonly ListedCall[], tools: readonly RunTool[], rules: Rules): Outcome {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const results = new Map<string, Dict>()
  const work = createWork()
  let last: Py = null
  for (const [at, call] of calls.entries()) {
    try {
      const tool = byName.get(call.name) ?? fail(`${call.name.slice(0, 60)} is not one of the tools`)
      const output =
        tool.outputs.length === 1 ? tool.outputs[0]! : fail(`${tool.name} has no single output parameter`)
      const label = labelOf(call, at, rules)
      const args = argumentsIn(call)
      const values = rules === 'published' ? byPosition(args, results) : byNames(args, tool, results, work)
      const fn = isImplemented(call.name)
        ? functions[call.name]!
        : unavailable(`${call.name} is not implemented here; import its Python source with --functions`)
      for (const value of values) work.take(value)
      last = called(fn, values, work)
      work.take(last)
      results.set(label, new Dict([[output, last]]))
    } catch (error) {
      if (error instanceof Unavailable) return { outcome: 'unavailable', call: at, says: error.message }
      if (error instanceof Failure) return failedAt(at, error.message)
      if (error instanceof PyError) return failedAt(at, `${error.name}: ${error.message}`)
      throw error
    }
  }
  return calls.length === 0 ? failedAt(0, 'there is no call') : valueOutcome(last)
}

/** A complex number without an imaginary part equals the float that it has. */
function valueOutcome(value: Py): Outcome {
  const result = { outcome: 'value', value: jsonOf(value) } as const
  const equal = realOf(value)
  if (equal === value) return result
  return { ...result, foreign: { equals: equal === undefined ? null : jsonOf(equal) } }
}
/** The value itself where no part of it is complex; undefined where a part has an imaginary part. */
function realOf(value: Py): Py | undefined {
  if (value instanceof Complex) return value.im === 0 ? value.re : undefined
  if (typeof value !== 'object' || value === null) return value
  const entries = [...value.entries()].map(([key, item]): [Py, Py | undefined] => [key, realOf(item)])
  const items = entries.map(([, item]) => item)
  if ([...value.values()].every((item, at) => item === items[at])) return value
  if (items.includes(undefined)) return undefined
  return Array.isArray(value) ? (items as Py[]) : new Dict(entries as [Py, Py][])
}
const unavailable = (says: string): never => {
  throw new Unavailable(says)
}

function labelOf({ label }: ListedCall, at: number, rules: Rules): string {
  if (label !== undefined) return withoutDollars(label)
  return rules === 'published' ? fail('the label is missing') : `call ${at + 1}`
}

function argumentsIn({ arguments: text }: ListedCall): Dict {
  let args: Py = null
  try {
    args = readWhole(text, 'lenient')
  } catch {
    fail('the arguments are missing')
  }
  return isDict(args) ? args : fail('the arguments are not an object')
}

/** In the order written; names are ignored. */
const byPosition = (args: Dict, results: ReadonlyMap<string, Dict>): Py[] =>
  [...args.values()].map((value) => {
    const text = typeof value === 'string' ? closed(value) : null
    if (text === null) return value
    const dot = text.indexOf('.')
    const label = text.slice(1, dot < 0 ? undefined : dot)
    const path = dot < 0 ? '' : text.slice(dot + 1, text.lastIndexOf('$'))
    const result =
      results.get(dot < 0 ? withoutDollars(label) : label) ??
      fail(`${text.slice(0, 100)} refers to no result`)
    return result.get(path) ?? (result.has(path) ? null : fail(`${text.slice(0, 100)} names no output`))
  })
/** A text that is a whole reference, closed where it was not; null where it is none. */
function closed(value: string): string | null {
  if (value.startsWith('$') && value.endsWith('$')) return value
  return value.startsWith('$var') ? `${value}$` : null
}

/**
 * Orders arguments by the names of the function's parameters, or of the tool's where they differ: then their
 * order tells which is which.
 */
function byNames(args: Dict, tool: RunTool, results: ReadonlyMap<string, Dict>, work: Work): Py[] {
  const implementedNames = isImplemented(tool.name) ? functions[tool.name]!.parameters : tool.parameters
  const names = tool.parameters.every((name) => implementedNames.includes(name))
    ? implementedNames
    : tool.parameters
  const values: Py[] = []
  for (const [key, value] of args) {
    const place = names.indexOf(str(key))
    if (place < 0) fail(`${tool.name} has no parameter ${str(key).slice(0, 60)}`)
    values[place] = resolved(value, results, { take: work.take })
  }
  for (let at = 0; at < values.length; at++)
    if (!Object.hasOwn(values, at)) fail(`the argument ${names[at]} is missing`)
  return values
}

/** How references are followed: to which part, and who counts what they bring along. */
interface Following {
  find?: typeof partOf
  /** Throws where it becomes too much: a short text can refer to a long result many times. */
  take: (part: Py) => void
}

/**
 * A value with its references replaced, also in lists and objects; within a longer text by their text. Throws
 * where one leads nowhere.
 */
export function resolved(value: Py, results: ReadonlyMap<string, Py>, following: Following): Py {
  const { find = partOf, take } = following
  if (Array.isArray(value)) return value.map((item) => resolved(item, results, following))
  if (isDict(value))
    return new Dict([...value].map(([key, item]): [Py, Py] => [key, resolved(item, results, following)]))
  if (typeof value !== 'string') return value
  const references = referencesIn(value, (label) => results.has(label))
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
    text += value.slice(from, start) + str(part!)
    from = end
  }
  return text + value.slice(from)
}
function called(fn: PyFunction, values: Py[], work: Work): Py {
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

/** Tells whether a list of calls failed by itself, as an error that callers of `resolved` catch. */
export const isFailure = (error: unknown): error is Error => error instanceof Failure
