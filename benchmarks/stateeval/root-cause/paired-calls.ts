/** The calls of a run beside the reference's, for readers: aligned as the search for the root cause does. */
import type { Observation, PairedRun } from '@stateeval/contracts'
import { alignSteps, listDifferingArguments } from './align.ts'
import { explainStep } from './departures.ts'
import { type ObservedCall, readObservedCalls } from './observed.ts'
import type { DocumentedEndpoint } from './requests.ts'
import type { ExpectedCall } from './situation.ts'
import { formatExpectedCall, formatFoundCall } from './texts.ts'

export function pairCalls(
  observation: Observation,
  expectedCalls: readonly ExpectedCall[],
  endpoints: readonly DocumentedEndpoint[],
): NonNullable<PairedRun['calls']> {
  const { steps } = alignSteps(expectedCalls, readObservedCalls(observation, endpoints, expectedCalls))
  const before: ObservedCall[] = []
  return steps.map((step) => {
    const { expected, actual } = step
    const cause = explainStep(step, steps, before)
    if (actual) before.push(actual)
    return {
      ...(expected && { expected: formatExpectedCall(expected) }),
      ...(actual && { found: formatFoundCall(actual), status: actual.status }),
      arguments:
        expected && actual && expected.api === actual.api ? listDifferingArguments(expected, actual) : [],
      ...(cause && { says: cause.because }),
    }
  })
}
