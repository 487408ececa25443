/**
 * Comparison as the released evaluator does it (README, published behaviour 6 to 8): calls as texts, position
 * by position, or aligned by name.
 */
import type { ListedCall } from '@stateeval/contracts'
import { groundElements } from '../answer/grounding.ts'
import type { GoldCall } from '../case.ts'
import { callObjects } from '../player.ts'
import { readWhole } from '../python/read.ts'
import { type PyDict, formatPyStr } from '../python/value.ts'

/** A call as it is compared. */
export interface ComparedCall {
  name: string
  /**
   * Texts `{key} = {value}`, in the order written; `text` has them sorted. null where there are no arguments
   * at all.
   */
  arguments: string[] | null
  text: string
}

/** The gold calls, grounded. */
export const loadGold = (calls: readonly GoldCall[]): ComparedCall[] =>
  groundElements(callObjects(calls)).calls.map((call) => prepareCompared(call, false))

/**
 * A text of the prediction that starts with a dollar sign is closed by one; gold texts are left as they are.
 */
export const groundPrediction = (calls: readonly ListedCall[]): ComparedCall[] =>
  calls.map((call) => prepareCompared(call, true))

function prepareCompared({ name, arguments: text }: ListedCall, isPrediction: boolean): ComparedCall {
  if (text === '') return { name, arguments: null, text: `${name}({})` }
  const args = [...(readWhole(text) as PyDict)].map(([key, value]) => {
    const valueText = formatPyStr(value)
    const open = isPrediction && typeof value === 'string' && value.startsWith('$') && !value.endsWith('$')
    return `${formatPyStr(key)} = ${valueText}${open ? '$' : ''}`
  })
  return { name, arguments: args, text: `${name}(${args.toSorted(compareCodePoints).join(', ')})` }
}
/** Python sorts texts by code point, JavaScript by code unit; they differ beyond the basic plane only. */
function compareCodePoints(a: string, b: string): number {
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
export function computePartialMatch(
  gold: readonly ComparedCall[],
  predicted: readonly ComparedCall[],
): number {
  if (gold.length === predicted.length) {
    const equal = gold.filter(({ text }, at) => predicted[at]!.text === text).length
    return gold.length === 0 ? 0 : equal / gold.length
  }
  const slots = alignNames(gold, predicted)
  const equal = slots.filter(([a, b]) => a !== null && b !== null && a.text === b.text).length
  return equal / slots.length
}

/**
 * Gold calls wait for their name only at the head of what is left: a wrong call makes the rest of the gold
 * fail (README, published behaviour 7).
 */
function alignNames(
  gold: readonly ComparedCall[],
  predicted: readonly ComparedCall[],
): [ComparedCall | null, ComparedCall | null][] {
  const slots: [ComparedCall | null, ComparedCall | null][] = []
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

const isDummy = ({ name, arguments: args }: ComparedCall) =>
  name === 'dummy' && args !== null && args.length === 0

/** The input of F1: the set of names, and for each name the set of argument texts of its last call. */
export interface MarkSets {
  names: Set<string>
  rows: Map<string, Set<string>>
}
export function collectSets(calls: readonly ComparedCall[]): MarkSets {
  const counted = calls.filter((call) => !isDummy(call))
  return {
    names: new Set(counted.map(({ name }) => name)),
    rows: new Map(counted.map(({ name, arguments: args }) => [name, new Set(args ?? [])])),
  }
}
