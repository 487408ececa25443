/** The calls of a run beside the reference's, for readers: aligned as the search for the root cause does. */
import type { Observation, PairedRun } from '@stateeval/contracts'
import { align, differing } from './align.ts'
import { departure } from './departures.ts'
import { type ObservedCall, observedCalls } from './observed.ts'
import type { Endpoint } from './requests.ts'
import type { ExpectedCall } from './situation.ts'
import { expectedText, foundText } from './texts.ts'

export function pairedCalls(
  observation: Observation,
  expectedCalls: readonly ExpectedCall[],
  endpoints: readonly Endpoint[],
): NonNullable<PairedRun['calls']> {
  const { steps } = align(expectedCalls, observedCalls(observation, endpoints, expectedCalls))
  const before: ObservedCall[] = []
  return steps.map((step) => {
    const { expected, actual } = step
    const cause = departure(step, steps, before)
    if (actual) before.push(actual)
    return {
      ...(expected && { expected: expectedText(expected) }),
      ...(actual && { found: foundText(actual), status: actual.status }),
      arguments: expected && actual && expected.api === actual.api ? differing(expected, actual) : [],
      ...(cause && { says: cause.because }),
    }
  })
}
