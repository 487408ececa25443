/** The first call at which a candidate leaves the reference's way, and what that says. */
import { canonicalJson } from '@stateeval/contracts'
import { type Aligned, differing } from './align.ts'
import { isAbsent, otherArguments, otherId } from './arguments.ts'
import type { ObservedCall } from './observed.ts'
import { because, type Cause, type ExpectedCall } from './situation.ts'
import { expectedText, foundText, steady } from './texts.ts'

/** `weak`: a read that is missing, which is a cause only where nothing else is. */
interface Departure {
  cause: Cause
  weak: boolean
}

/**
 * `ended`: whether the program came to its end; else what is missing behind its last call is no choice of its
 * own.
 */
export function departures(steps: readonly Aligned[], ended: boolean): Departure[] {
  const last = steps.findLastIndex(({ actual }) => actual !== undefined)
  const allDepartures: Departure[] = []
  const before: ObservedCall[] = []
  for (const [n, step] of steps.entries()) {
    const cause = departure(step, steps, before)
    if (cause && (step.actual !== undefined || ended || n < last))
      allDepartures.push({ cause, weak: step.actual === undefined && !step.expected.changes })
    if (step.actual) before.push(step.actual)
  }
  return allDepartures
}

/** Explains one step; null where it does no harm. */
export function departure(
  { expected, actual }: Aligned,
  steps: readonly Aligned[],
  before: readonly ObservedCall[],
): Cause | null {
  if (!actual) return expected ? missingCall(expected, steps) : null
  if (actual.api === null) return unknownEndpoint(actual, expected, before)
  if (!expected) return extraCall(actual, steps, before)
  if (actual.api === expected.api) {
    if (differing(expected, actual).length === 0 && actual.unknown.length === 0) return null
    return harmless(expected, actual) ? null : otherArguments(expected, actual, before)
  }
  if (harmless(expected, actual)) return null
  const more = { api: expected.api, expected: expectedText(expected), found: foundText(actual) }
  const says = `${actual.api} was called instead of ${expected.api}`
  if (actual.status === 400)
    return because(
      'documentation_misread',
      'wrong_form',
      `${says}, and refused: the request does not have the documented form`,
      more,
    )
  return because('instruction_not_followed', 'other_api', says, more)
}

/** A read that brought the same answer in another way. */
const harmless = (expected: ExpectedCall, { changes, status, answer }: ObservedCall) =>
  !expected.changes &&
  !changes &&
  status < 400 &&
  answer !== undefined &&
  canonicalJson(answer) === canonicalJson(expected.output ?? null)

function unknownEndpoint(
  actual: ObservedCall,
  expected: ExpectedCall | undefined,
  before: readonly ObservedCall[],
): Cause {
  const more = {
    ...(expected && { api: expected.api, expected: expectedText(expected) }),
    found: foundText(actual),
  }
  // An empty part of a path is a value that was not there.
  if (/\/\/|\/(?:\?|$)/.test(actual.request.slice(actual.request.indexOf('/') + 1)) && expected) {
    return otherId(undefined, {
      before,
      misread: (kind, why) =>
        because(
          'documentation_misread',
          kind,
          `a part of the path ${steady(actual.request)} is empty: ${why}`,
          more,
        ),
      mismanaged: (kind, why) =>
        because(
          'implicit_state_mismanaged',
          kind,
          `a part of the path ${steady(actual.request)} is empty: ${why}`,
          more,
        ),
    })
  }
  const says = `${steady(actual.request.split('?')[0] as string)} is no endpoint of the documentation; it answered ${actual.status}`
  return because('documentation_misread', 'unknown_endpoint', says, more)
}

function missingCall(expected: ExpectedCall, steps: readonly Aligned[]): Cause {
  const more = { api: expected.api, expected: expectedText(expected) }
  const elsewhere = steps.some(
    (step) =>
      !step.expected && step.actual?.api === expected.api && differing(expected, step.actual).length === 0,
  )
  return elsewhere
    ? because(
        'instruction_not_followed',
        'other_order',
        `${expected.api} was called at a different position than the instruction says`,
        more,
      )
    : because(
        'instruction_not_followed',
        'missing_call',
        `${expected.api} was not called where the instruction asks for it`,
        more,
      )
}

function extraCall(
  actual: ObservedCall,
  steps: readonly Aligned[],
  before: readonly ObservedCall[],
): Cause | null {
  const api = actual.api as string
  const more = { api, found: foundText(actual) }
  const twin = steps.find(({ expected }) => expected?.api === api && differing(expected, actual).length === 0)
  if (twin && !twin.actual)
    return because(
      'instruction_not_followed',
      'other_order',
      `${api} was called at a different position than the instruction says`,
      more,
    )
  if (twin && (actual.changes || actual.status >= 400))
    return because(
      'instruction_not_followed',
      'extra_call',
      `${api} was called once more than the instruction says`,
      more,
    )
  if (actual.status === 404) {
    const [argument, foundValue] =
      Object.entries(actual.args).findLast(([name]) => name !== 'data' && name !== 'body') ?? []
    return otherId(foundValue, {
      before,
      misread: (kind, why) =>
        because(
          'documentation_misread',
          kind,
          `${api} was called with ${argument} ${String(foundValue)}: ${why}`,
          more,
        ),
      mismanaged: (kind, why) =>
        because(
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
    return because(
      'documentation_misread',
      actual.unknown.length > 0 ? 'unknown_parameter' : 'wrong_form',
      `${api} answered ${actual.status}: ${why}`,
      more,
    )
  }
  if (!actual.changes) return null
  return because(
    'instruction_not_followed',
    'extra_call',
    `${api} was called, which the instruction does not ask for`,
    more,
  )
}
