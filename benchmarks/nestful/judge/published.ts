/**
 * Comparison as the released evaluator does it (README, published behaviour 6 to 8): calls as texts, position
 * by position, or aligned by name.
 */
import type { ListedCall } from '@stateeval/contracts'
import { ground } from '../answer/grounding.ts'
import type { GoldCall } from '../case.ts'
import { callObjects } from '../player.ts'
import { readWhole } from '../python/read.ts'
import { type Dict, str } from '../python/value.ts'

/** A call as it is compared. */
export interface Compared {
  name: string
  /**
   * Texts `{key} = {value}`, in the order written; `text` has them sorted. null where there are no arguments
   * at all.
   */
  arguments: string[] | null
  text: string
}

/** The gold calls, grounded. */
export const goldOf = (calls: readonly GoldCall[]): Compared[] =>
  ground(callObjects(calls)).calls.map((call) => comparedOf(call, false))

/**
 * A text of the prediction that starts with a dollar sign is closed by one; gold texts are left as they are.
 */
export const predictedOf = (calls: readonly ListedCall[]): Compared[] =>
  calls.map((call) => comparedOf(call, true))

function comparedOf({ name, arguments: text }: ListedCall, isPrediction: boolean): Compared {
  if (text === '') return { name, arguments: null, text: `${name}({})` }
  const args = [...(readWhole(text) as Dict)].map(([key, value]) => {
    const valueText = str(value)
    const open = isPrediction && typeof value === 'string' && value.startsWith('$') && !value.endsWith('$')
    return `${str(key)} = ${valueText}${open ? '$' : ''}`
  })
  return { name, arguments: args, text: `${name}(${args.toSorted(byCodePoint).join(', ')})` }
}
/** Python sorts texts by code point, JavaScript by code unit; they differ beyond the basic plane only. */
function byCodePoint(a: string, b: string): number {
  if (a === b) return 0
  if (!/[\ud800-\udfff]/.test(a + b)) return a < b ? -1 : 1
  const [x, y] = [[...a], [...b]]
  for (let at = 0; at < x.length && at < y.length; at++) {
    const difference = x[at]!.codePointAt(0)! - y[at]!.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return x.length - y.length
}

/** accuracy_combined: the share of equal positions; lists of different lengths are aligned by name first. */
export function partialMatch(gold: readonly Compared[], predicted: readonly Compared[]): number {
  if (gold.length === predicted.length) {
    const equal = gold.filter(({ text }, at) => predicted[at]!.text === text).length
    return gold.length === 0 ? 0 : equal / gold.length
  }
  const slots = aligned(gold, predicted)
  const equal = slots.filter(([a, b]) => a !== null && b !== null && a.text === b.text).length
  return equal / slots.length
}

/**
 * Gold calls wait for their name only at the head of what is left: a wrong call makes the rest of the gold
 * fail (README, published behaviour 7).
 */
export function aligned(
  gold: readonly Compared[],
  predicted: readonly Compared[],
): [Compared | null, Compared | null][] {
  const slots: [Compared | null, Compared | null][] = []
  for (let i = 0, j = 0; i < gold.length || j < predicted.length;) {
    const [a, b] = [gold[i] ?? null, predicted[j] ?? null]
    if (a && b && a.name === b.name) {
      slots.push([a, b])
      i++
      j++
    } else if (a) {
      slots.push([a, null])
      i++
    } else {
      slots.push([null, b])
      j++
    }
  }
  return slots
}

const isDummy = ({ name, arguments: args }: Compared) =>
  name === 'dummy' && args !== null && args.length === 0

/** The input of F1: the set of names, and for each name the set of argument texts of its last call. */
export interface Sets {
  names: Set<string>
  rows: Map<string, Set<string>>
}
export function setsOf(calls: readonly Compared[]): Sets {
  const counted = calls.filter((call) => !isDummy(call))
  return {
    names: new Set(counted.map(({ name }) => name)),
    rows: new Map(counted.map(({ name, arguments: args }) => [name, new Set(args ?? [])])),
  }
}
