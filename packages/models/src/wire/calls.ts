/**
 * Tool calls of a message, in every form that servers send: with and without `type`, `id`, `index` and
 * `function`; whole, or in pieces of a stream.
 */
import { maxToolCalls } from '@stateeval/contracts'
import { longestAnswer } from './limits.ts'
import { toMembers, mergeMembers, measureMembers, toWireText, type WireMembers } from './members.ts'

/** A call as received; nothing in it is trusted. */
export interface RawCall {
  id: string
  name: string
  arguments: string
  /** Empty if none came. */
  type: string
  /** Members that are not read, and go back unchanged. */
  others: WireMembers
}

/** A part of a call: all of it, or a piece. */
interface CallPart extends RawCall {
  index: number | null
}

const readMembers: ReadonlySet<string> = new Set(['id', 'type', 'index', 'function', 'custom'])
const readOfFunction: ReadonlySet<string> = new Set(['name', 'arguments', 'parameters', 'input', 'args'])

const removeMembers = (members: WireMembers, read: ReadonlySet<string>): WireMembers =>
  Object.fromEntries(Object.entries(members).filter(([name, value]) => !read.has(name) && value != null))

/**
 * A call with `function` (OpenAI), with `custom` (OpenAI's free-form tools), or without either: a bare name
 * with `arguments`, `parameters`, `input` (Anthropic) or `args` (Google).
 */
function readCallPart(value: unknown): CallPart {
  const call = toMembers(value)
  const wrapped = call['function'] ?? call['custom']
  const isWrapped = typeof wrapped === 'object' && wrapped !== null
  const callee = isWrapped ? toMembers(wrapped) : call
  const name = callee['name'] ?? (typeof wrapped === 'string' ? wrapped : undefined)
  const args = callee['arguments'] ?? callee['parameters'] ?? callee['input'] ?? callee['args']
  const ofFunction = isWrapped ? removeMembers(callee, readOfFunction) : {}
  const others = removeMembers(call, isWrapped ? readMembers : new Set([...readMembers, ...readOfFunction]))
  const index = Number(call['index'] ?? Number.NaN)
  return {
    id: toWireText(call['id']),
    name: toWireText(name),
    arguments: toWireText(args),
    type: toWireText(call['type']),
    others: Object.keys(ofFunction).length > 0 ? { ...others, function: ofFunction } : others,
    index: Number.isNaN(index) ? null : index,
  }
}

const isBlank = ({ id, name, arguments: text }: RawCall) => id === '' && name === '' && text === ''

/** The calls of a message: a list, one alone, or the legacy `function_call`. */
function listMessageCalls(message: WireMembers): unknown[] {
  const { tool_calls: listed, function_call: legacy } = message
  const calls: unknown[] = Array.isArray(listed)
    ? listed
    : typeof listed === 'object' && listed !== null
      ? [listed]
      : []
  return [...calls, ...(legacy ? [legacy] : [])].filter((call) => typeof call === 'object' && call !== null)
}

/**
 * Follows a JSON text that comes in pieces, and tells whether it is a whole object so far: its brackets are
 * closed.
 */
class JsonProgress {
  #depth = 0
  #inString = false
  #isEscaped = false
  #isClosed = false
  length = 0

  get isWhole(): boolean {
    return this.#isClosed && this.#depth === 0
  }

  add(text: string): void {
    this.length += text.length
    for (const character of text) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (character === '"') this.#inString = !this.#inString
      else if (this.#inString) this.#isEscaped = character === '\\'
      else if (character === '{' || character === '[') this.#depth++
      else if (character === '}' || character === ']') {
        this.#depth--
        this.#isClosed = true
      }
    }
  }
}

/** A call that is being put together. */
interface OpenCall extends Omit<RawCall, 'arguments' | 'others'> {
  others: Record<string, unknown>
  index: number | null
  /** Pieces of its arguments, joined in the end. */
  pieces: string[]
  progress: JsonProgress
}

export class CallCollector {
  #calls: OpenCall[] = []
  /** Characters so far. */
  size = 0

  get isFull(): boolean {
    return this.#calls.length > maxToolCalls || this.size > longestAnswer
  }

  /** Calls of a message that came whole: each is a call. */
  addWhole(message: WireMembers): void {
    for (const value of listMessageCalls(message)) {
      if (this.isFull) return
      this.#open(readCallPart(value))
    }
  }

  /** Calls of a piece of a stream. */
  addPieces(delta: WireMembers): void {
    const touchedCalls = new Set<OpenCall>()
    for (const value of listMessageCalls(delta)) {
      if (this.isFull) return
      const part = readCallPart(value)
      const call = this.#continued(part, touchedCalls)
      touchedCalls.add(call ? this.#extend(call, part) : this.#open(part))
    }
  }

  /** Lists calls by place, and in order of arrival where places are equal. */
  calls(): RawCall[] {
    return this.#calls
      .map((call, at) => ({ call, at }))
      .sort((a, b) => (a.call.index ?? a.at) - (b.call.index ?? b.at) || a.at - b.at)
      .map(({ call: { id, name, type, pieces, others } }) => ({
        ...{ id, name, type, others },
        arguments: pieces.join(''),
      }))
      .filter((call) => !isBlank(call))
  }

  #open({ id, name, type, arguments: text, others, index }: CallPart): OpenCall {
    const progress = new JsonProgress()
    progress.add(text)
    const call: OpenCall = { id, name, type, others: { ...others }, index, pieces: [text], progress }
    this.#calls.push(call)
    this.size += id.length + name.length + text.length + measureMembers(others)
    return call
  }

  /** The call that a piece continues; null if it begins one. */
  #continued(part: CallPart, touchedCalls: ReadonlySet<OpenCall>): OpenCall | null {
    const call =
      part.index === null
        ? this.#calls.at(-1)
        : this.#calls.findLast(({ index }) => index === part.index || index === null)
    if (!call) return null
    const isSameId = part.id !== '' && part.id === call.id
    // Google and its gateways: every call at index 0, or without one, each with its id.
    if (part.id !== '' && call.id !== '' && !isSameId) return null
    if (touchedCalls.has(call) && !isSameId) return null
    // A name with arguments after whole arguments begins the next call, unless these are repeated.
    const beginsCall = part.name !== '' && part.arguments.trim() !== '' && call.progress.isWhole
    return beginsCall && !(isSameId && part.arguments.length === call.progress.length) ? null : call
  }

  #extend(call: OpenCall, part: CallPart): OpenCall {
    const before = call.id.length + call.name.length
    call.id ||= part.id
    call.type ||= part.type
    call.index ??= part.index
    call.name = joinName(call, part.name)
    const { progress, pieces } = call
    // Some servers repeat the whole arguments in the last piece.
    const isRepeated =
      progress.isWhole && part.arguments.length === progress.length && part.arguments === pieces.join('')
    if (part.arguments !== '' && !isRepeated) {
      pieces.push(part.arguments)
      progress.add(part.arguments)
      this.size += part.arguments.length
    }
    mergeMembers(call.others, part.others)
    this.size += call.id.length + call.name.length - before + measureMembers(part.others)
    return call
  }
}

/** Names come at once, again with every piece (MiniMax, NVIDIA NIM), growing, or in pieces (Gemini). */
function joinName({ name, progress }: OpenCall, next: string): string {
  if (next === '' || next === name) return name
  if (name === '' || next.startsWith(name)) return next
  return progress.length === 0 ? name + next : name
}
