/** Grounding (facts §4): labels in references become names of functions, in gold and prediction, before they are compared. */
import type { ListedCall } from '@stateeval/contracts'
import { Unreadable } from '../python/read.ts'
import { Dict, isDict, jsonOf, type Py, str } from '../python/value.ts'
import { withoutDollars } from '../references.ts'

/** What is compared. `arguments` is empty where there are none, which differs from an empty object. */
export interface Grounded {
  calls: ListedCall[]
  /** Elements that are no calls: each costs one intent error and one slot error. */
  unreadable: number
  /** Calls whose arguments are missing, and names that are no text. */
  slotErrors: number
}

const isResult = (name: Py | undefined) => name === 'var_result' || name === 'varResult'

/** Throws an Unreadable where an element can't be grounded: the whole prediction is then empty. */
export function ground(elements: readonly Py[]): Grounded {
  const names = new Map<string, string>()
  for (const element of elements) {
    const name = isDict(element) ? element.get('name') : undefined
    if (!isDict(element) || name === undefined) throw new Unreadable('an element is no call', 0)
    const label = element.get('label')
    if (isResult(name) || label === undefined) continue
    if (typeof label !== 'string') throw new Unreadable('a label is no text', 0)
    names.set(withoutDollars(label), str(name))
  }
  const calls: ListedCall[] = []
  for (const element of elements as Dict[]) {
    const name = element.get('name')!
    if (name === 'var_result') continue
    const args = element.get('arguments') ?? element.get('parameters') ?? new Dict()
    if (!isDict(args)) throw new Unreadable('the arguments are no object', 0)
    const grounded = new Dict([...args].map(([key, value]): [Py, Py] => [key, groundedValue(value, names)]))
    calls.push({ name: clean(str(name)), arguments: clean(jsonOf(grounded)) })
  }
  return { calls, unreadable: 0, slotErrors: 0 }
}

function groundedValue(value: Py, names: ReadonlyMap<string, string>): Py {
  if (typeof value === 'string') return groundedText(value, names)
  return Array.isArray(value)
    ? value.map((item) => (typeof item === 'string' ? groundedText(item, names) : item))
    : value
}
/** All occurrences of the first reference's label; in an expression, other labels stay. */
function groundedText(text: string, names: ReadonlyMap<string, string>): string {
  const dot = text.indexOf('.')
  if (dot < 0 || !text.startsWith('$var')) return text
  const label = withoutDollars(text.slice(0, dot))
  const name = names.get(label)
  return name === undefined ? text : text.replaceAll(label, () => name)
}

/** As they stand, where nothing is grounded. */
export function unground(elements: readonly Py[]): Grounded {
  const found: Grounded = { calls: [], unreadable: 0, slotErrors: 0 }
  for (const element of elements) {
    const name = isDict(element) ? element.get('name') : undefined
    if (!isDict(element) || name === undefined) {
      found.unreadable++
      continue
    }
    const args = element.get('arguments')
    if (!isDict(args) || (typeof name === 'object' && name !== null)) found.slotErrors++
    found.calls.push({ name: clean(str(name)), arguments: isDict(args) ? clean(jsonOf(args)) : '' })
  }
  return found
}
const clean = (text: string) => text.replaceAll('<|endoftext|>', '')

/** The elements as they are executed: with their labels and their own arguments. */
export const executed = (elements: readonly Py[]): ListedCall[] =>
  elements.map((element) => {
    const [name, label, args] = ['name', 'label', 'arguments'].map((key) =>
      isDict(element) ? element.get(key) : undefined,
    )
    return {
      name: name === undefined ? '' : str(name),
      ...(typeof label === 'string' && { label }),
      arguments: isDict(args) ? jsonOf(args) : '',
    }
  })
