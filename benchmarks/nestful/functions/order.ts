/**
 * Python's iteration, and its order of values: numbers by size, texts by code points, lists
 * item by item.
 */
import { isDict, numberOf, pyEqual, type Py } from '../python/value.ts'
import { typeError } from './errors.ts'
import { kindOf } from './numbers.ts'

/** Lists the items that a for loop visits. */
export function iterated(value: Py): Py[] {
  if (typeof value === 'string') return [...value]
  if (Array.isArray(value)) return value
  return isDict(value) ? [...value.keys()] : typeError(`'${kindOf(value)}' object is not iterable`)
}

/** A text whose order as UTF-16 is Python's, by code points. */
const codes = (text: string) =>
  text.replace(/[\ud800-\udfff\ue000-\uffff]/g, (unit) =>
    String.fromCharCode(unit <= '\udfff' ? unit.charCodeAt(0) + 0x2000 : unit.charCodeAt(0) - 0x800),
  )

/** a < b. Throws a TypeError where Python compares no such values. */
export function isLess(a: Py, b: Py): boolean {
  if (typeof a === 'string' && typeof b === 'string') return codes(a) < codes(b)
  if (Array.isArray(a) && Array.isArray(b)) {
    const at = a.findIndex((item, place) => place >= b.length || !pyEqual(item, b[place]!))
    if (at < 0) return a.length < b.length
    return at < b.length && isLess(a[at]!, b[at]!)
  }
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x === null || y === null)
    return typeError(`'<' not supported between instances of '${kindOf(a)}' and '${kindOf(b)}'`)
  return x < y
}
