/** The calls of a run beside the reference's, for readers: aligned as the search for the root cause does. */
import type { PairedRun } from '@stateeval/contracts'
import { type AlignedStep, listDifferingArguments } from './align.ts'
import { explainStep } from './departures.ts'
import type { ObservedCall } from './observed.ts'
import { formatCallPair, formatExpectedCall, formatFoundCall } from './texts.ts'

export function pairCalls(steps: readonly AlignedStep[]): NonNullable<PairedRun['calls']> {
  const before: ObservedCall[] = []
  return steps.map((step) => {
    const { expected, actual } = step
    const cause = explainStep(step, steps, before)
    if (actual) before.push(actual)
    const isSame = expected && actual && expected.api === actual.api
    const texts = isSame
      ? formatCallPair(expected, actual)
      : {
          ...(expected && { expected: formatExpectedCall(expected) }),
          ...(actual && { found: formatFoundCall(actual) }),
        }
    return {
      ...texts,
      ...(actual && { status: actual.status }),
      arguments: isSame ? listDifferingArguments(expected, actual) : [],
      ...(cause && { says: cause.because }),
    }
  })
}
