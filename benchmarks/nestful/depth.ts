/** How deep a list of calls is nested: the most calls in a chain of references. A single call has depth 1. */
import { parseListedArguments, type GoldCall } from './case.ts'
import { listArgumentReferences, stripDollars } from './references.ts'

export function measureDepth(calls: readonly GoldCall[]): number {
  const depth = depths.get(calls) ?? computeDepth(calls)
  depths.set(calls, depth)
  return depth
}
const depths = new WeakMap<readonly GoldCall[], number>()

function computeDepth(calls: readonly GoldCall[]): number {
  const depths = new Map<string, number>()
  let deepest = 0
  for (const call of calls) {
    const used = listArgumentReferences(parseListedArguments(call), (label) => depths.has(label))
    const depth = 1 + Math.max(0, ...used.map(({ reference }) => depths.get(reference.label) ?? 0))
    depths.set(stripDollars(call.label), depth)
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
