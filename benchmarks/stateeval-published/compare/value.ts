/** Python's `==` on values of a program and of a truth. */
import { toJson, type JsonValue } from '@stateeval/contracts'
import { cutApart, cutText, isTensorLike } from '@stateeval/program'
import type { ReportedValue } from '../run/report.ts'

/** A truth as the value that it was written from: a dict with `is_speech` is a speech, a list stays one. */
export function toTruthValue(json: JsonValue): ReportedValue {
  if (json === null || typeof json !== 'object') return json
  if (Array.isArray(json)) return { list: json.map(toTruthValue) }
  if (isTensorLike(json)) return { tensor: toJson(json) }
  if (json['is_speech'] === true) {
    const { is_speech: _, ...fields } = json
    return {
      speech: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toTruthValue(field)])),
    }
  }
  return {
    dict: Object.entries(json).map(([key, item]): [ReportedValue, ReportedValue] => [
      key,
      toTruthValue(item),
    ]),
  }
}

/** Converts numbers and booleans; null for everything else. NaN for text that is no number. */
export function findNumber(value: ReportedValue): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || typeof value !== 'object' || !('number' in value)) return null
  const text = value.number
  if (text === 'inf') return Number.POSITIVE_INFINITY
  if (text === '-inf') return Number.NEGATIVE_INFINITY
  return text.startsWith('-') ? -Number(text.slice(1)) : Number(text)
}

const isObject = (value: ReportedValue) => value !== null && typeof value === 'object'
export const isDict = (value: ReportedValue): value is { dict: [ReportedValue, ReportedValue][] } =>
  isObject(value) && 'dict' in value
export const isSpeech = (
  value: ReportedValue,
): value is { speech: Readonly<Record<string, ReportedValue>> } => isObject(value) && 'speech' in value
export const isTensor = (value: ReportedValue): value is { tensor: JsonValue } =>
  isObject(value) && 'tensor' in value
/** Items of a list or tuple; null for everything else. */
export function findItems(value: ReportedValue): ReportedValue[] | null {
  if (value === null || typeof value !== 'object') return null
  if ('list' in value) return value.list
  return 'tuple' in value ? value.tuple : null
}

/** Differences from Python's equality. */
interface EqualityWays {
  /** A tuple equals the list of its items: truths keep lists only. */
  tuples?: boolean
  /** Numbers within this share of the greater one are equal. */
  tolerance?: number
  /** Keys of dicts that do not count, at any depth. */
  without?: readonly string[]
}

/** Tells whether two values are equal. Speeches and tensors are compared elsewhere and equal nothing here. */
export function isEqualValue(a: ReportedValue, b: ReportedValue, ways: EqualityWays = {}): boolean {
  const [one, two] = [findNumber(a), findNumber(b)]
  if (one !== null && two !== null)
    return (
      one === two ||
      (Number.isFinite(one - two) &&
        Math.abs(one - two) <= (ways.tolerance ?? 0) * Math.max(Math.abs(one), Math.abs(two)))
    )
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b
  const [ours, theirs] = [findItems(a), findItems(b)]
  if (ours && theirs)
    return (
      (ways.tuples === true || 'list' in a === 'list' in b) &&
      ours.length === theirs.length &&
      ours.every((item, at) => isEqualValue(item, theirs[at]!, ways))
    )
  if (!isDict(a) || !isDict(b)) return false
  const counted = ({ dict }: { dict: [ReportedValue, ReportedValue][] }) =>
    dict.filter(([key]) => !(typeof key === 'string' && ways.without?.includes(key)))
  const [left, right] = [counted(a), counted(b)]
  return (
    left.length === right.length &&
    left.every(([key, item]) => {
      const other = right.find(([name]) => isEqualValue(name, key, ways))
      return other !== undefined && isEqualValue(item, other[1], ways)
    })
  )
}

export const findDictMember = (
  { dict }: { dict: [ReportedValue, ReportedValue][] },
  name: string,
): ReportedValue | undefined => dict.find(([key]) => key === name)?.[1]

/** Length of a value in an explanation. */
const longest = 300
export const describeValue = (value: ReportedValue): string => cutText(spellValue(value), longest)
/** Two values that differ, by what is found in place of what. */
export function describeDifference(found: ReportedValue, expected: ReportedValue): string {
  const [is, should] = cutApart(spellValue(found), spellValue(expected), longest)
  return `${is}; expected: ${should}`
}
function spellValue(value: ReportedValue): string {
  if (value === null) return 'None'
  if (typeof value !== 'object') return JSON.stringify(value)
  if ('list' in value) return `[${value.list.map(spellValue).join(', ')}]`
  if ('tuple' in value) return `(${value.tuple.map(spellValue).join(', ')})`
  if ('dict' in value) return `{${value.dict.map((pair) => pair.map(spellValue).join(': ')).join(', ')}}`
  if ('speech' in value)
    return `Speech(${Object.entries(value.speech)
      .map(([name, item]) => `${name}=${spellValue(item)}`)
      .join(', ')})`
  if ('number' in value) return value.number
  if ('other' in value) return `a value ${value.other}`
  const { shape, dtype } = ((value.tensor as { $tensor?: unknown }).$tensor ?? {}) as Record<string, unknown>
  return `a tensor of ${String(dtype)} and shape ${JSON.stringify(shape)}`
}

/** Tells whether the elements of two lists pair off. `same` must be transitive but for rounding. */
export function isSameBag<A, B>(
  ours: readonly A[],
  theirs: readonly B[],
  same: (a: A, b: B) => boolean,
): boolean {
  if (ours.length !== theirs.length) return false
  const left = [...theirs]
  return ours.every((one) => {
    const at = left.findIndex((other) => same(one, other))
    if (at < 0) return false
    left.splice(at, 1)
    return true
  })
}
