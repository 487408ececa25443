/** Values as calls: objects with a name and arguments under the usual keys, in lists and wrappers. */
import { readWhole } from '../python/read.ts'
import { PyDict, isDict, formatPyJson, type PyValue, formatPyStr } from '../python/value.ts'

/** A call as it was read. */
export interface ReadCall {
  name: string
  label?: string
  /** It is the label if a reference leads to it: an id, a number, a key that the call stands under. */
  mayBeLabel?: string
  arguments: string
  /** It may as well be something else: a result with a name, a specification, words of the prose. */
  isWeak: boolean
}

export interface CallCandidate {
  calls: ReadCall[]
  /** It was an object or a separate statement, not a list. */
  lone: boolean
  isEmpty: boolean
  /** The text ended, or broke, within it. */
  cut: boolean
  isExpression?: boolean
  /** It continues the list before it. */
  follows?: boolean
}

export interface ReadingContext {
  /** The text that values were read from: arguments keep their own text. */
  text: string
  isApi: (name: string) => boolean
}

const nameKeys = ['name', 'api', 'api_name', 'tool', 'tool_name', 'function_name', 'action'] as const
const argumentKeys = [
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'inputs',
  'kwargs',
  'action_input',
  'tool_input',
] as const
const labelKeys = ['id', 'variable', 'var', 'output_variable'] as const
/** Keys that calls have; results and specifications have others. */
const otherKeys = new Set<PyValue>([
  ...nameKeys,
  ...argumentKeys,
  ...labelKeys,
  'label',
  'type',
  'function',
  'step',
])
/** Wrappers within wrappers. */
const deepest = 6

export function findCandidate(value: PyValue, about: ReadingContext, depth = 0): CallCandidate | null {
  if (depth > deepest) return null
  if (Array.isArray(value)) return readListedCalls(value, about, depth)
  if (!isDict(value)) return null
  const call = readCallCandidate(value, about)
  if (call && !call.isWeak) return { calls: [call], lone: true, isEmpty: false, cut: false }
  // An object with a name and without arguments may be a wrapper that has one.
  const inside = readWrappedCalls(value, about, depth)
  return call && !inside?.calls.length ? { calls: [call], lone: true, isEmpty: false, cut: false } : inside
}

function readListedCalls(
  items: readonly PyValue[],
  about: ReadingContext,
  depth: number,
): CallCandidate | null {
  const calls = items.flatMap((item) => findCandidate(item, about, depth + 1)?.calls ?? [])
  return calls.length > 0 || items.length === 0
    ? { calls, lone: false, isEmpty: items.length === 0, cut: false }
    : null
}

/** An object that holds calls: a list of them, the last of several ones, or a call under each key. */
function readWrappedCalls(wrapper: PyDict, about: ReadingContext, depth: number): CallCandidate | null {
  // A call that breaks off within a call is not one of the calls.
  if (isCut(wrapper) && readCallName(wrapper) !== null) return null
  const calls: ReadCall[] = []
  let list: CallCandidate | null = null
  let isEmpty = false
  for (const [key, member] of wrapper) {
    if (argumentKeys.some((one) => one === key)) continue
    const own = typeof member === 'string' ? parsePyText(member) : undefined
    const one = findCandidate(
      own ?? member,
      own === undefined ? about : { ...about, text: member as string },
      depth + 1,
    )
    isEmpty ||= one?.isEmpty === true
    if (!one?.calls.some(({ isWeak }) => !isWeak)) continue
    if (one.lone) calls.push(...one.calls.map((call) => ({ mayBeLabel: formatPyStr(key), ...call })))
    else list = one
  }
  if (list) return list
  return calls.length > 0 || isEmpty ? { calls, lone: false, isEmpty, cut: false } : null
}
/** A list or an object that was written as a text. */
function parsePyText(text: string): PyValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return readWhole(text, 'lenient')
  } catch {
    return undefined
  }
}

const isCut = ({ start, end }: PyDict) => start >= 0 && end < 0
const getCallBody = (value: PyDict): PyDict => {
  const inner = value.get('function')
  return isDict(inner) ? inner : value
}
function readCallName(value: PyDict): string | null {
  const inner = value.get('function')
  const body = getCallBody(value)
  const found = [...nameKeys.map((key) => body.get(key)), inner].find((one) => typeof one === 'string')
  return typeof found === 'string' ? found : null
}

/** A call in one of the usual forms; null where it is none, or breaks off. */
function readCallCandidate(value: PyDict, about: ReadingContext): ReadCall | null {
  if (isCut(value)) return null
  const name = readCallName(value)
  if (name === null) return readNamedCall(value, about)
  const body = getCallBody(value)
  const args = argumentKeys.map((key) => body.get(key)).find((one) => one !== undefined)
  const text = formatArguments(args ?? new PyDict(), about.text)
  if (text === null) return null
  const label = value.get('label')
  const mayBe = [label, ...labelKeys.map((key) => value.get(key))].find(
    (one) => typeof one === 'string' || typeof one === 'bigint',
  )
  const hasOthers = [...value.keys()].some((key) => !otherKeys.has(key))
  return {
    name,
    ...(typeof label === 'string' ? { label } : mayBe !== undefined && { mayBeLabel: formatPyStr(mayBe) }),
    arguments: text,
    isWeak: args === undefined ? hasOthers || !about.isApi(name) : body.has('description'),
  }
}

/** `{"add": {"arg_0": 1}}`. */
function readNamedCall(value: PyDict, { text, isApi }: ReadingContext): ReadCall | null {
  const [[key, args] = [null, null], ...others] = value
  if (others.length > 0 || typeof key !== 'string' || !isDict(args) || !isApi(key)) return null
  return { name: key, arguments: formatArguments(args, text)!, isWeak: false }
}

/**
 * Arguments as JSON text: an object, a text that holds one, or nothing in one of its forms. null where they
 * are something else.
 */
export function formatArguments(args: PyValue, text: string): string | null {
  if (isDict(args)) return sliceArguments(args, text)
  if (args === null || (Array.isArray(args) && args.length === 0)) return '{}'
  if (typeof args !== 'string') return null
  if (args.trim() === '') return '{}'
  try {
    const value = readWhole(args, 'lenient')
    return value === null ? '{}' : isDict(value) ? formatPyJson(value) : null
  } catch {
    return null
  }
}

/** The answer's own text of the arguments where it is JSON, else the same values as JSON. */
function sliceArguments(args: PyDict, text: string): string {
  const source = args.start < 0 ? '' : text.slice(args.start, args.end)
  try {
    if (source !== '' && isDict(readWhole(source))) return source
  } catch {
    // Python literals, trailing commas.
  }
  return formatPyJson(args)
}
