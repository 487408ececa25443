/**
 * Coding functions of version 2 that can be computed here: texts, lists and dicts, with Python's semantics.
 * Lists are changed in place.
 */
import { Complex, Dict, jsonOf, numberOf, type Py, str } from '../python/value.ts'
import type { PyFunction } from './basic.ts'
import { PyError, typeError, Unavailable } from './errors.ts'
import { int, kindOf, toInt } from './numbers.ts'
import { isLess, iterated } from './order.ts'

const fn = (parameters: string, call: (...args: Py[]) => Py): PyFunction => {
  const names = parameters.split(' ')
  return { parameters: names, required: names.length, call }
}

const blanks = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/
const split = (text: string): string[] => text.split(blanks).filter((word) => word !== '')

const text = (value: Py): string =>
  typeof value === 'string' ? value : attributeError(`'${kindOf(value)}' object has no attribute of a text`)
const attributeError = (message: string): never => {
  throw new PyError('AttributeError', message)
}
const list = (value: Py): Py[] =>
  Array.isArray(value) ? value : attributeError(`'${kindOf(value)}' object is not a list`)

function kthLargest(nums: Py, k: Py): Py {
  const items = list(nums)
  items.sort((a, b) => (isLess(b, a) ? -1 : isLess(a, b) ? 1 : 0))
  const place = int(k, 'list index')
  return place < 1n || place > BigInt(items.length) ? null : items[Number(place) - 1]!
}

function toFloatOrText(value: Py): Py {
  const asFloat =
    typeof value === 'string'
      ? floatIn(value)
      : (numberOf(value) ?? typeError('float() argument must be a number'))
  if (asFloat === null) return value
  const number = Number(asFloat)
  return Number.isInteger(number) ? toInt(number) : number
}
/** One underscore at most between two digits. */
const floatForm = /^[-+]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][-+]?\d+(?:_\d+)*)?$/

/** float(text); null where it is none. */
function floatIn(value: string): number | null {
  const trimmed = value.trim()
  if (floatForm.test(trimmed)) return Number(trimmed.replaceAll('_', ''))
  const word = /^([-+]?)(inf|infinity|nan)$/i.exec(trimmed)
  if (!word) return null
  const size = word[2]!.toLowerCase() === 'nan' ? Number.NaN : Infinity
  return word[1] === '-' ? -size : size
}

/**
 * The items of a set of integers in CPython's order: by slot. Where two share a slot, or texts are hashed, it
 * can't be said.
 */
function setOrder(items: readonly Py[]): Py[] {
  let slots = 8
  let filled = 0
  for (; filled < items.length; filled++)
    if ((filled + 1) * 5 >= (slots - 1) * 3) while (slots <= (filled + 1) * 4) slots *= 2
  const bySlot = new Map<number, Py>()
  for (const item of items) {
    const value = numberOf(item)
    if (typeof value !== 'bigint' || value < 0n || value >= 2n ** 61n - 1n)
      throw new Unavailable(
        'the order of a set of anything but natural numbers depends on the Python process',
      )
    const slot = Number(value % BigInt(slots))
    if (bySlot.has(slot))
      throw new Unavailable('the order of this set depends on how Python resolves collisions')
    bySlot.set(slot, item)
  }
  return [...bySlot].sort(([a], [b]) => a - b).map(([, item]) => item)
}

function commonValues(a: Py, b: Py): Py {
  const keyOf = (value: Py) => {
    if (typeof value === 'object' && value !== null && !(value instanceof Complex))
      return typeError(`unhashable type: '${kindOf(value)}'`)
    const number = numberOf(value)
    return number === null ? str(value) + typeof value : Number(number)
  }
  const others = new Set(iterated(b).map(keyOf))
  const common = new Map(
    iterated(a)
      .filter((item) => others.has(keyOf(item)))
      .map((item) => [keyOf(item), item]),
  )
  return setOrder([...common.values()])
}

function swap(values: Py, i: Py, j: Py): Py {
  const items = list(values)
  const place = (index: Py) => {
    const at = Number(int(index, 'list index'))
    const position = at < 0 ? items.length + at : at
    if (position < 0 || position >= items.length) throw new PyError('IndexError', 'list index out of range')
    return position
  }
  const [from, to] = [place(i), place(j)]
  ;[items[from], items[to]] = [items[to]!, items[from]!]
  return items
}

/** json.dumps: blanks behind commas and colons, everything beyond ASCII escaped. */
const dumps = (value: Py): string =>
  jsonOf(value).replaceAll(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function countWords(sentences: Py): Py {
  const counts = new Dict()
  for (const sentence of iterated(sentences))
    for (const word of split(text(sentence)))
      counts.set(word, ((counts.get(word) as bigint | undefined) ?? 0n) + 1n)
  return counts
}

export const codingFunctions: Readonly<Record<string, PyFunction>> = {
  find_kth_largest: fn('nums k', (nums, k) => kthLargest(nums, k)),
  convert_to_float_or_string: fn('input_string', (value) => toFloatOrText(value)),
  unique_common_values: fn('list1 list2', (a, b) => commonValues(a, b)),
  swap_by_index: fn('values i j', (values, i, j) => swap(values, i, j)),
  make_json_string: fn('dictionary', (value) => dumps(value)),
  tokenize_sentence: fn('sentence', (value) =>
    split(
      text(value)
        .toLowerCase()
        .replaceAll(/[,()!]/g, ''),
    ),
  ),
  non_whitespace_substrings: fn('input_str', (value) => split(text(value))),
  count_words_from_sentences: fn('sentences', (value) => countWords(value)),
}
