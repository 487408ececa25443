/**
 * Python's iteration, and its order of values: numbers by size, texts by code points, lists
 * item by item.
 */
import { isDict, toPyNumber, isPyEqual, type PyValue } from '../python/value.ts'
import { throwTypeError } from './errors.ts'
import { getPyKind } from './numbers.ts'

/** Lists the items that a for loop visits. */
export function iteratePy(value: PyValue): PyValue[] {
  if (typeof value === 'string') return [...value]
  if (Array.isArray(value)) return value
  return isDict(value) ? [...value.keys()] : throwTypeError(`'${getPyKind(value)}' object is not iterable`)
}

/** A text whose order as UTF-16 is Python's, by code points. */
const toSortableCodes = (text: string) =>
  text.replace(/[\ud800-\udfff\ue000-\uffff]/g, (unit) =>
    String.fromCharCode(unit <= '\udfff' ? unit.charCodeAt(0) + 0x2000 : unit.charCodeAt(0) - 0x800),
  )

/** a < b. Throws a TypeError where Python compares no such values. */
export function isLess(a: PyValue, b: PyValue): boolean {
  if (typeof a === 'string' && typeof b === 'string') return toSortableCodes(a) < toSortableCodes(b)
  if (Array.isArray(a) && Array.isArray(b)) {
    const at = a.findIndex((item, place) => place >= b.length || !isPyEqual(item, b[place]!))
    if (at < 0) return a.length < b.length
    return at < b.length && isLess(a[at]!, b[at]!)
  }
  const [x, y] = [toPyNumber(a), toPyNumber(b)]
  if (x === null || y === null)
    return throwTypeError(`'<' not supported between instances of '${getPyKind(a)}' and '${getPyKind(b)}'`)
  return x < y
}
