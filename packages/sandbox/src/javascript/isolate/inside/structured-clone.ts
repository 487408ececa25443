/** structuredClone of plain data; a process clones other values. */
/* eslint-disable @typescript-eslint/unbound-method -- called by Reflect.apply, which candidates can't change here */
import { bail } from './host.ts'
import { isPlain } from './plain.ts'

const { isArray } = Array
const { keys } = Object
const DateBase = Date
const { getTime } = DateBase.prototype

export function structuredClone(...args: unknown[]): unknown {
  if (args.length !== 1 || !isPlain(args[0])) bail('structuredClone of more than plain data')
  return cloned(args[0], new Map())
}

function cloned(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (copies.has(value)) return copies.get(value)
  if (value instanceof DateBase)
    return remember(value, new DateBase(Reflect.apply(getTime, value, [])), copies)
  const copy = remember(value, isArray(value) ? new Array<unknown>(value.length) : {}, copies) as Record<
    string,
    unknown
  >
  for (const key of keys(value)) copy[key] = cloned((value as Record<string, unknown>)[key], copies)
  return copy
}
function remember<T>(value: object, copy: T, copies: Map<object, unknown>): T {
  copies.set(value, copy)
  return copy
}
