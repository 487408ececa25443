/**
 * Coding functions of version 2 that can be computed here: texts, lists and dicts, with Python's semantics.
 * Lists are changed in place.
 */
import { PyComplex, PyDict, formatPyJson, toPyNumber, type PyValue, formatPyStr } from '../python/value.ts'
import type { PyFunction } from './basic.ts'
import { PyError, throwTypeError, UnavailableError } from './errors.ts'
import { requireInt, getPyKind, toInt } from './numbers.ts'
import { isLess, iteratePy } from './order.ts'

const defineCodingFunction = (parameters: string, call: (...args: PyValue[]) => PyValue): PyFunction => {
  const names = parameters.split(' ')
  return { parameters: names, required: names.length, call }
}

const blanks = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/
const split = (text: string): string[] => text.split(blanks).filter((word) => word !== '')

const requireText = (value: PyValue): string =>
  typeof value === 'string'
    ? value
    : throwAttributeError(`'${getPyKind(value)}' object has no attribute of a text`)
const throwAttributeError = (message: string): never => {
  throw new PyError('AttributeError', message)
}
const list = (value: PyValue): PyValue[] =>
  Array.isArray(value) ? value : throwAttributeError(`'${getPyKind(value)}' object is not a list`)

function findKthLargest(nums: PyValue, k: PyValue): PyValue {
  const items = list(nums)
  items.sort((a, b) => (isLess(b, a) ? -1 : isLess(a, b) ? 1 : 0))
  const place = requireInt(k, 'list index')
  return place < 1n || place > BigInt(items.length) ? null : items[Number(place) - 1]!
}

function toFloatOrText(value: PyValue): PyValue {
  const asFloat =
    typeof value === 'string'
      ? parseFloatText(value)
      : (toPyNumber(value) ?? throwTypeError('float() argument must be a number'))
  if (asFloat === null) return value
  const number = Number(asFloat)
  return Number.isInteger(number) ? toInt(number) : number
}
/** One underscore at most between two digits. */
const floatForm = /^[-+]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][-+]?\d+(?:_\d+)*)?$/

/** float(text); null where it is none. */
function parseFloatText(value: string): number | null {
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
function setOrder(items: readonly PyValue[]): PyValue[] {
  let slots = 8
  let filled = 0
  for (; filled < items.length; filled++)
    if ((filled + 1) * 5 >= (slots - 1) * 3) while (slots <= (filled + 1) * 4) slots *= 2
  const bySlot = new Map<number, PyValue>()
  for (const item of items) {
    const value = toPyNumber(item)
    if (typeof value !== 'bigint' || value < 0n || value >= 2n ** 61n - 1n)
      throw new UnavailableError(
        'the order of a set of anything but natural numbers depends on the Python process',
      )
    const slot = Number(value % BigInt(slots))
    if (bySlot.has(slot))
      throw new UnavailableError('the order of this set depends on how Python resolves collisions')
    bySlot.set(slot, item)
  }
  return [...bySlot].sort(([a], [b]) => a - b).map(([, item]) => item)
}

function listCommonValues(a: PyValue, b: PyValue): PyValue {
  const keyOf = (value: PyValue) => {
    if (typeof value === 'object' && value !== null && !(value instanceof PyComplex))
      return throwTypeError(`unhashable type: '${getPyKind(value)}'`)
    const number = toPyNumber(value)
    return number === null ? formatPyStr(value) + typeof value : Number(number)
  }
  const others = new Set(iteratePy(b).map(keyOf))
  const common = new Map(
    iteratePy(a)
      .filter((item) => others.has(keyOf(item)))
      .map((item) => [keyOf(item), item]),
  )
  return setOrder([...common.values()])
}

function swapItems(values: PyValue, i: PyValue, j: PyValue): PyValue {
  const items = list(values)
  const place = (index: PyValue) => {
    const at = Number(requireInt(index, 'list index'))
    const position = at < 0 ? items.length + at : at
    if (position < 0 || position >= items.length) throw new PyError('IndexError', 'list index out of range')
    return position
  }
  const [from, to] = [place(i), place(j)]
  ;[items[from], items[to]] = [items[to]!, items[from]!]
  return items
}

/** json.dumps: blanks behind commas and colons, everything beyond ASCII escaped. */
const dumpPyJson = (value: PyValue): string =>
  formatPyJson(value).replaceAll(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function countWords(sentences: PyValue): PyValue {
  const counts = new PyDict()
  for (const sentence of iteratePy(sentences))
    for (const word of split(requireText(sentence)))
      counts.set(word, ((counts.get(word) as bigint | undefined) ?? 0n) + 1n)
  return counts
}

export const codingFunctions: Readonly<Record<string, PyFunction>> = {
  find_kth_largest: defineCodingFunction('nums k', (nums, k) => findKthLargest(nums, k)),
  convert_to_float_or_string: defineCodingFunction('input_string', (value) => toFloatOrText(value)),
  unique_common_values: defineCodingFunction('list1 list2', (a, b) => listCommonValues(a, b)),
  swap_by_index: defineCodingFunction('values i j', (values, i, j) => swapItems(values, i, j)),
  make_json_string: defineCodingFunction('dictionary', (value) => dumpPyJson(value)),
  tokenize_sentence: defineCodingFunction('sentence', (value) =>
    split(
      requireText(value)
        .toLowerCase()
        .replaceAll(/[,()!]/g, ''),
    ),
  ),
  non_whitespace_substrings: defineCodingFunction('input_str', (value) => split(requireText(value))),
  count_words_from_sentences: defineCodingFunction('sentences', (value) => countWords(value)),
}
