/** How deep a list of calls is nested: the most calls in a chain of references. A single call has depth 1. */
import { argumentsOf, type GoldCall } from './case.ts'
import { referencesOf, withoutDollars } from './references.ts'

export function depthOf(calls: readonly GoldCall[]): number {
  const depth = depths.get(calls) ?? computed(calls)
  depths.set(calls, depth)
  return depth
}
const depths = new WeakMap<readonly GoldCall[], number>()

function computed(calls: readonly GoldCall[]): number {
  const depths = new Map<string, number>()
  let deepest = 0
  for (const call of calls) {
    const used = referencesOf(argumentsOf(call), (label) => depths.has(label))
    const depth = 1 + Math.max(0, ...used.map(({ reference }) => depths.get(reference.label) ?? 0))
    depths.set(withoutDollars(call.label), depth)
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
