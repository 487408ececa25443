/**
 * Grounding (README, published behaviour 1 and 2): labels in references become names of functions, in gold
 * and prediction, before they are compared.
 */
import type { ListedCall } from '@stateeval/contracts'
import { UnreadableError } from '../python/read.ts'
import { PyDict, isDict, formatPyJson, type PyValue, formatPyStr } from '../python/value.ts'
import { isResultName, stripDollars } from '../references.ts'

/** The compared calls. `arguments` is empty where there are none, which differs from an empty object. */
export interface GroundedAnswer {
  calls: ListedCall[]
  /** Elements that are no calls: each costs one intent error and one slot error. */
  unreadable: number
  /** Calls whose arguments are missing, and names that are no text. */
  slotErrors: number
}

/**
 * Replacing labels by names may make a text longer again and again. What is replaced in one answer may come
 * to as many times the characters of its texts; beyond, the answer counts as one that can't be grounded.
 */
const maxGrowth = 20
/** Short answers may grow to as many characters whatever they have. */
const freeGrowth = 100_000

/** Throws an UnreadableError where an element can't be grounded: the whole prediction is then empty. */
export function groundElements(elements: readonly PyValue[]): GroundedAnswer {
  const names = new Map<string, PyValue>()
  for (const element of elements) {
    const name = isDict(element) ? element.get('name') : undefined
    if (!isDict(element) || name === undefined) throw new UnreadableError('an element is not a call', 0)
    const label = element.get('label')
    if (isResultName(name) || label === undefined) continue
    if (typeof label !== 'string') throw new UnreadableError('a label is not a string', 0)
    names.set(stripDollars(label), name)
  }
  const grounding = new LabelGrounding(names, freeGrowth + maxGrowth * countCharacters(elements as PyValue[]))
  const calls: ListedCall[] = []
  for (const element of elements as PyDict[]) {
    const name = element.get('name')!
    if (name === 'var_result') continue
    // Only absent arguments are looked for elsewhere: a null is no object.
    const args = ['arguments', 'parameters'].map((key) => element.get(key)).find((one) => one !== undefined)
    if (args !== undefined && !isDict(args)) throw new UnreadableError('the arguments are not an object', 0)
    const grounded = new PyDict(
      [...(args ?? [])].map(([key, value]): [PyValue, PyValue] => [key, grounding.value(value)]),
    )
    calls.push({
      name: removeEndOfText(formatPyStr(name)),
      arguments: removeEndOfText(formatPyJson(grounded)),
    })
  }
  return { calls, unreadable: 0, slotErrors: 0 }
}

/** The characters of all texts in a value. */
function countCharacters(value: PyValue): number {
  if (typeof value === 'string') return value.length
  const items = Array.isArray(value) ? value : isDict(value) ? [...value].flat() : []
  return items.reduce<number>((sum, item) => sum + countCharacters(item), 0)
}

class LabelGrounding {
  readonly #names: ReadonlyMap<string, PyValue>
  /** The place of each label among the references. */
  readonly #places: ReadonlyMap<string, number>
  /** Number of characters that may still be written. */
  #left: number

  constructor(names: ReadonlyMap<string, PyValue>, left: number) {
    this.#names = names
    this.#places = new Map([...names.keys()].map((label, at) => [label, at]))
    this.#left = left
  }

  value(value: PyValue): PyValue {
    if (typeof value === 'string') return this.#text(value)
    return Array.isArray(value)
      ? value.map((item) => (typeof item === 'string' ? this.#text(item) : item))
      : value
  }

  /**
   * All occurrences of the first reference's label; in an expression, other labels stay. The labels are tried
   * in order, each once, on the text that the ones before it left: a name that looks like a later label is
   * replaced in turn.
   */
  #text(text: string): string {
    for (let grounded = text, last = -1; ;) {
      const label = findFirstLabel(grounded)
      const place = label === null ? -1 : (this.#places.get(label) ?? -1)
      if (place <= last) return grounded
      const name = this.#names.get(label!)!
      // A name such as null can be compared, but it replaces nothing.
      if (typeof name !== 'string')
        throw new UnreadableError('a reference leads to a name that is not a string', 0)
      grounded = this.#replaced(grounded, label!, name)
      last = place
    }
  }
  #replaced(text: string, label: string, name: string): string {
    const parts = text.split(label)
    this.#left -= text.length + (parts.length - 1) * (name.length - label.length)
    if (this.#left < 0)
      throw new UnreadableError(`the references become more than ${maxGrowth} times as long as the answer`, 0)
    return parts.join(name)
  }
}
function findFirstLabel(text: string): string | null {
  const dot = text.indexOf('.')
  return dot < 0 || !text.startsWith('$var') ? null : stripDollars(text.slice(0, dot))
}

/** Keeps the elements unchanged, since nothing is grounded. */
export function keepUngrounded(elements: readonly PyValue[]): GroundedAnswer {
  const result: GroundedAnswer = { calls: [], unreadable: 0, slotErrors: 0 }
  for (const element of elements) {
    const name = isDict(element) ? element.get('name') : undefined
    if (!isDict(element) || name === undefined) {
      result.unreadable++
      continue
    }
    const args = element.get('arguments')
    if (!isDict(args) || (typeof name === 'object' && name !== null)) result.slotErrors++
    result.calls.push({
      name: removeEndOfText(formatPyStr(name)),
      arguments: isDict(args) ? removeEndOfText(formatPyJson(args)) : '',
    })
  }
  return result
}
const removeEndOfText = (text: string) => text.replaceAll('<|endoftext|>', '')

/** The elements as they are executed: with their labels and their own arguments. */
export const listExecutedCalls = (elements: readonly PyValue[]): ListedCall[] =>
  elements.map((element) => {
    const [name, label, args] = ['name', 'label', 'arguments'].map((key) =>
      isDict(element) ? element.get(key) : undefined,
    )
    return {
      name: name === undefined ? '' : formatPyStr(name),
      ...(typeof label === 'string' && { label }),
      arguments: isDict(args) ? formatPyJson(args) : '',
    }
  })
