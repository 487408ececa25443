/** The first call at which a candidate leaves the reference's way, and what that says. */
import { canonicalJson } from '@stateeval/contracts'
import { type AlignedStep, listDifferingArguments } from './align.ts'
import { isAbsent, explainOtherArguments, explainOtherId } from './arguments.ts'
import type { ObservedCall } from './observed.ts'
import { createCause, type RootCauseEvidence, type ExpectedCall } from './situation.ts'
import { formatExpectedCall, formatFoundCall, formatSteady } from './texts.ts'

/** `weak`: a read that is missing, which is a cause only where nothing else is. */
export interface StepDeparture {
  cause: RootCauseEvidence
  weak: boolean
  /** How many of the reference's calls stand before it. */
  at: number
}

/**
 * `ended`: whether the program came to its end; otherwise it did not choose to leave out the calls that are
 * missing at its end.
 */
export function listDepartures(steps: readonly AlignedStep[], ended: boolean): StepDeparture[] {
  const last = steps.findLastIndex(({ actual }) => actual !== undefined)
  const allDepartures: StepDeparture[] = []
  const before: ObservedCall[] = []
  let at = 0
  for (const [n, step] of steps.entries()) {
    const cause = explainStep(step, steps, before)
    if (cause && (step.actual !== undefined || ended || n < last))
      allDepartures.push({
        cause: { ...cause, because: `${formatPlace(step, at)}: ${cause.because}` },
        weak: step.actual === undefined && !step.expected.changes,
        at,
      })
    if (step.actual) before.push(step.actual)
    if (step.expected) at++
  }
  return allDepartures
}

/** Where the reference's way is left, counted by its calls. */
const formatPlace = ({ expected }: AlignedStep, at: number) =>
  expected ? `call ${at + 1}` : at === 0 ? 'before call 1' : `after call ${at}`

/** Explains the departure of one step; null where it does no harm. */
export function explainStep(
  { expected, actual }: AlignedStep,
  steps: readonly AlignedStep[],
  before: readonly ObservedCall[],
): RootCauseEvidence | null {
  if (!actual) return expected ? explainMissingCall(expected, steps) : null
  if (actual.api === null) return explainUnknownEndpoint(actual, expected, before)
  if (!expected) return explainExtraCall(actual, steps, before)
  if (actual.api === expected.api) {
    if (listDifferingArguments(expected, actual).length === 0 && actual.unknown.length === 0) return null
    return isHarmless(expected, actual) ? null : explainOtherArguments(expected, actual, before)
  }
  if (isHarmless(expected, actual)) return null
  const more = { api: expected.api, expected: formatExpectedCall(expected), found: formatFoundCall(actual) }
  const says = `${actual.api} was called instead of ${expected.api}`
  if (actual.status === 400)
    return createCause(
      'documentation_misread',
      'wrong_form',
      `${says}, and refused: the request does not have the documented form`,
      more,
    )
  return createCause('instruction_not_followed', 'other_api', says, more)
}

/** A read that brought the same answer in another way. */
const isHarmless = (expected: ExpectedCall, { changes, status, answer }: ObservedCall) =>
  !expected.changes &&
  !changes &&
  status < 400 &&
  answer !== undefined &&
  canonicalJson(answer) === canonicalJson(expected.output ?? null)

function explainUnknownEndpoint(
  actual: ObservedCall,
  expected: ExpectedCall | undefined,
  before: readonly ObservedCall[],
): RootCauseEvidence {
  const more = {
    ...(expected && { api: expected.api, expected: formatExpectedCall(expected) }),
    found: formatFoundCall(actual),
  }
  // An empty part of a path is a value that was not there.
  if (/\/\/|\/(?:\?|$)/.test(actual.request.slice(actual.request.indexOf('/') + 1)) && expected) {
    return explainOtherId(undefined, {
      before,
      misread: (kind, why) =>
        createCause(
          'documentation_misread',
          kind,
          `a part of the path ${formatSteady(actual.request)} is empty: ${why}`,
          more,
        ),
      mismanaged: (kind, why) =>
        createCause(
          'implicit_state_mismanaged',
          kind,
          `a part of the path ${formatSteady(actual.request)} is empty: ${why}`,
          more,
        ),
    })
  }
  const says = `${formatSteady(actual.request.split('?')[0] as string)} is no endpoint of the documentation; it answered ${actual.status}`
  return createCause('documentation_misread', 'unknown_endpoint', says, more)
}

function explainMissingCall(expected: ExpectedCall, steps: readonly AlignedStep[]): RootCauseEvidence {
  const more = { api: expected.api, expected: formatExpectedCall(expected) }
  const elsewhere = steps.some(
    (step) =>
      !step.expected &&
      step.actual?.api === expected.api &&
      listDifferingArguments(expected, step.actual).length === 0,
  )
  return elsewhere
    ? createCause(
        'instruction_not_followed',
        'other_order',
        `${expected.api} was called at a different position than the instruction says`,
        more,
      )
    : createCause(
        'instruction_not_followed',
        'missing_call',
        `${expected.api} was not called where the instruction asks for it`,
        more,
      )
}

function explainExtraCall(
  actual: ObservedCall,
  steps: readonly AlignedStep[],
  before: readonly ObservedCall[],
): RootCauseEvidence | null {
  const api = actual.api as string
  const more = { api, found: formatFoundCall(actual) }
  const twin = steps.find(
    ({ expected }) => expected?.api === api && listDifferingArguments(expected, actual).length === 0,
  )
  if (twin && !twin.actual)
    return createCause(
      'instruction_not_followed',
      'other_order',
      `${api} was called at a different position than the instruction says`,
      more,
    )
  if (twin && (actual.changes || actual.status >= 400))
    return createCause(
      'instruction_not_followed',
      'extra_call',
      `${api} was called once more than the instruction says`,
      more,
    )
  if (actual.status === 404) {
    const [argument, foundValue] =
      Object.entries(actual.args).findLast(([name]) => name !== 'data' && name !== 'body') ?? []
    return explainOtherId(foundValue, {
      before,
      misread: (kind, why) =>
        createCause(
          'documentation_misread',
          kind,
          `${api} was called with ${argument} ${String(foundValue)}: ${why}`,
          more,
        ),
      mismanaged: (kind, why) =>
        createCause(
          'implicit_state_mismanaged',
          kind,
          `${api} was called for an item that is not there: ${why}`,
          more,
        ),
    })
  }
  if (actual.status >= 400 && actual.status < 500) {
    const absent = Object.entries(actual.args).find(([, value]) => isAbsent(value))?.[0]
    const why = absent ? `${absent} has no value` : 'the request does not have the documented form'
    return createCause(
      'documentation_misread',
      actual.unknown.length > 0 ? 'unknown_parameter' : 'wrong_form',
      `${api} answered ${actual.status}: ${why}`,
      more,
    )
  }
  if (!actual.changes) return null
  return createCause(
    'instruction_not_followed',
    'extra_call',
    `${api} was called, which the instruction does not ask for`,
    more,
  )
}
