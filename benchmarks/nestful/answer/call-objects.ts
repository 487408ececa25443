/** Values as calls: objects with a name and arguments under the usual keys, in lists and wrappers. */
import { readWhole } from '../python/read.ts'
import { Dict, isDict, jsonOf, type Py, str } from '../python/value.ts'

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
  /** It was an object or a statement of its own, not a list. */
  lone: boolean
  isEmpty: boolean
  /** The text ended, or broke, within it. */
  cut: boolean
  isExpression?: boolean
  /** It goes on with the list before it. */
  follows?: boolean
}

export interface ReadingContext {
  /** The source of the values: arguments keep their own text. */
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
/** Other members of a call; results and specifications have other members. */
const otherKeys = new Set<Py>([
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

export function foundIn(value: Py, about: ReadingContext, depth = 0): CallCandidate | null {
  if (depth > deepest) return null
  if (Array.isArray(value)) return listed(value, about, depth)
  if (!isDict(value)) return null
  const call = callIn(value, about)
  if (call && !call.isWeak) return { calls: [call], lone: true, isEmpty: false, cut: false }
  // An object with a name and without arguments may be a wrapper that has one.
  const inside = wrapped(value, about, depth)
  return call && !inside?.calls.length ? { calls: [call], lone: true, isEmpty: false, cut: false } : inside
}

function listed(items: readonly Py[], about: ReadingContext, depth: number): CallCandidate | null {
  const calls = items.flatMap((item) => foundIn(item, about, depth + 1)?.calls ?? [])
  return calls.length > 0 || items.length === 0
    ? { calls, lone: false, isEmpty: items.length === 0, cut: false }
    : null
}

/** An object that holds calls: a list of them, the last of several ones, or a call under each key. */
function wrapped(wrapper: Dict, about: ReadingContext, depth: number): CallCandidate | null {
  // A call that breaks off within a call is not one of the calls.
  if (isCut(wrapper) && nameIn(wrapper) !== null) return null
  const calls: ReadCall[] = []
  let list: CallCandidate | null = null
  let isEmpty = false
  for (const [key, member] of wrapper) {
    if (argumentKeys.some((one) => one === key)) continue
    const own = typeof member === 'string' ? valueIn(member) : undefined
    const one = foundIn(
      own ?? member,
      own === undefined ? about : { ...about, text: member as string },
      depth + 1,
    )
    isEmpty ||= one?.isEmpty === true
    if (!one?.calls.some(({ isWeak }) => !isWeak)) continue
    if (one.lone) calls.push(...one.calls.map((call) => ({ mayBeLabel: str(key), ...call })))
    else list = one
  }
  if (list) return list
  return calls.length > 0 || isEmpty ? { calls, lone: false, isEmpty, cut: false } : null
}
/** A list or an object that was written as a text. */
function valueIn(text: string): Py | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return readWhole(text, 'lenient')
  } catch {
    return undefined
  }
}

const isCut = ({ start, end }: Dict) => start >= 0 && end < 0
const bodyOf = (value: Dict): Dict => {
  const inner = value.get('function')
  return isDict(inner) ? inner : value
}
function nameIn(value: Dict): string | null {
  const inner = value.get('function')
  const body = bodyOf(value)
  const found = [...nameKeys.map((key) => body.get(key)), inner].find((one) => typeof one === 'string')
  return typeof found === 'string' ? found : null
}

/** A call in one of the usual forms; null where it is none, or breaks off. */
function callIn(value: Dict, about: ReadingContext): ReadCall | null {
  if (isCut(value)) return null
  const name = nameIn(value)
  if (name === null) return underItsName(value, about)
  const body = bodyOf(value)
  const args = argumentKeys.map((key) => body.get(key)).find((one) => one !== undefined)
  const text = argumentsText(args ?? new Dict(), about.text)
  if (text === null) return null
  const label = value.get('label')
  const mayBe = [label, ...labelKeys.map((key) => value.get(key))].find(
    (one) => typeof one === 'string' || typeof one === 'bigint',
  )
  const hasOthers = [...value.keys()].some((key) => !otherKeys.has(key))
  return {
    name,
    ...(typeof label === 'string' ? { label } : mayBe !== undefined && { mayBeLabel: str(mayBe) }),
    arguments: text,
    isWeak: args === undefined ? hasOthers || !about.isApi(name) : body.has('description'),
  }
}

/** `{"add": {"arg_0": 1}}`. */
function underItsName(value: Dict, { text, isApi }: ReadingContext): ReadCall | null {
  const [[key, args] = [null, null], ...others] = value
  if (others.length > 0 || typeof key !== 'string' || !isDict(args) || !isApi(key)) return null
  return { name: key, arguments: argumentsText(args, text)!, isWeak: false }
}

/**
 * Arguments as JSON text: an object, a text that holds one, or nothing in one of its forms. null where they
 * are something else.
 */
export function argumentsText(args: Py, text: string): string | null {
  if (isDict(args)) return ownText(args, text)
  if (args === null || (Array.isArray(args) && args.length === 0)) return '{}'
  if (typeof args !== 'string') return null
  if (args.trim() === '') return '{}'
  try {
    const value = readWhole(args, 'lenient')
    return value === null ? '{}' : isDict(value) ? jsonOf(value) : null
  } catch {
    return null
  }
}

/** The answer's own text of the arguments where it is JSON, else the same values as JSON. */
function ownText(args: Dict, text: string): string {
  const source = args.start < 0 ? '' : text.slice(args.start, args.end)
  try {
    if (source !== '' && isDict(readWhole(source))) return source
  } catch {
    // Python literals, trailing commas.
  }
  return jsonOf(args)
}
