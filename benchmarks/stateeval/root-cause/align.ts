/**
 * The candidate's calls beside the reference's: which stands for which, which is missing, which is too much.
 */
import { getOwnMember, canonicalJson } from '@stateeval/contracts'
import type { ObservedCall } from './observed.ts'
import type { ExpectedCall } from './situation.ts'

export type AlignedStep =
  | { expected: ExpectedCall; actual: ObservedCall }
  | { expected: ExpectedCall; actual?: undefined }
  | { expected?: undefined; actual: ObservedCall }

/** Longer logs are loops: their beginning says what went wrong. */
const longest = 200

/** Names of arguments in which two calls differ, in the order of the expected ones. */
export function listDifferingArguments(
  expected: ExpectedCall,
  actual: Pick<ObservedCall, 'args' | 'unread'>,
): string[] {
  const names = [...new Set([...Object.keys(expected.args), ...Object.keys(actual.args)])]
  return names.filter(
    (name) =>
      !actual.unread?.includes(name) &&
      !isSameSent(getOwnMember(expected.args, name), getOwnMember(actual.args, name)),
  )
}
/** Path and query carry text: 5 and "5" are the same there. */
const isSameSent = (a: unknown, b: unknown) =>
  canonicalJson(a ?? null) === canonicalJson(b ?? null) ||
  (typeof a !== 'object' && typeof b !== 'object' && a !== undefined && String(a) === String(b))

/**
 * Computes the cost of taking one call for another: nothing for the same, most for another API with other
 * arguments.
 */
function computeCost(expected: ExpectedCall, actual: ObservedCall): number {
  if (actual.api === null) return 1
  const names = Object.keys(expected.args).length || 1
  const share = Math.min(1, listDifferingArguments(expected, actual).length / names)
  return actual.api === expected.api ? 0.7 * share : 0.9 + 0.39 * share
}
const computeMissingCost = ({ changes }: ExpectedCall) => (changes ? 1 : 0.8)
const computeExtraCost = ({ changes, status }: ObservedCall) => (changes && status < 400 ? 1 : 0.5)

export interface StepAlignment {
  steps: AlignedStep[]
  cost: number
}

/** The cheapest alignment (Needleman and Wunsch 1970); of equal ones the one that pairs earlier calls. */
export function alignSteps(expected: readonly ExpectedCall[], calls: readonly ObservedCall[]): StepAlignment {
  const comparedCalls = calls.slice(0, longest)
  const [m, n] = [expected.length, comparedCalls.length]
  const table = Array.from({ length: m + 1 }, () => new Float64Array(n + 1))
  const at = (i: number, j: number) => (table[i] as Float64Array)[j] as number
  for (let i = m; i >= 0; i--) {
    for (let j = n; j >= 0; j--) {
      const [e, f] = [expected[i], comparedCalls[j]]
      const ways = [
        ...(e && f ? [computeCost(e, f) + at(i + 1, j + 1)] : []),
        ...(e ? [computeMissingCost(e) + at(i + 1, j)] : []),
        ...(f ? [computeExtraCost(f) + at(i, j + 1)] : []),
      ]
      ;(table[i] as Float64Array)[j] = ways.length ? Math.min(...ways) : 0
    }
  }
  const steps: AlignedStep[] = []
  for (let i = 0, j = 0; i < m || j < n;) {
    const [e, f] = [expected[i], comparedCalls[j]]
    const best = at(i, j) + 1e-9
    if (e && f && computeCost(e, f) + at(i + 1, j + 1) <= best) {
      steps.push({ expected: e, actual: f })
      i++
      j++
    } else if (f && computeExtraCost(f) + at(i, j + 1) <= best) {
      steps.push({ actual: f })
      j++
    } else {
      steps.push({ expected: e as ExpectedCall })
      i++
    }
  }
  return { steps, cost: at(0, 0) }
}

/** Counts the calls in front of the if, which both branches begin with. */
export function countSharedCalls(own: readonly ExpectedCall[], other: readonly ExpectedCall[]): number {
  const isShared = (call: ExpectedCall, at: number) =>
    other[at]?.api === call.api && canonicalJson(call.args) === canonicalJson(other[at].args)
  const first = own.findIndex((call, at) => !isShared(call, at))
  return first < 0 ? own.length : first
}
