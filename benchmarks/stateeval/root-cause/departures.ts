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
  const last = steps.findLastIndex(({ found }) => found !== undefined)
  const allDepartures: Departure[] = []
  const before: ObservedCall[] = []
  for (const [n, step] of steps.entries()) {
    const cause = departure(step, steps, before)
    if (cause && (step.found !== undefined || ended || n < last))
      allDepartures.push({ cause, weak: step.found === undefined && !step.expected.changes })
    if (step.found) before.push(step.found)
  }
  return allDepartures
}

function departure(
  { expected, found }: Aligned,
  steps: readonly Aligned[],
  before: readonly ObservedCall[],
): Cause | null {
  if (!found) return expected ? missingCall(expected, steps) : null
  if (found.api === null) return unknownEndpoint(found, expected, before)
  if (!expected) return extraCall(found, steps, before)
  if (found.api === expected.api) {
    if (differing(expected, found).length === 0 && found.unknown.length === 0) return null
    return harmless(expected, found) ? null : otherArguments(expected, found, before)
  }
  if (harmless(expected, found)) return null
  const more = { api: expected.api, expected: expectedText(expected), found: foundText(found) }
  const says = `${found.api} was called in place of ${expected.api}`
  if (found.status === 400)
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
  found: ObservedCall,
  expected: ExpectedCall | undefined,
  before: readonly ObservedCall[],
): Cause {
  const more = {
    ...(expected && { api: expected.api, expected: expectedText(expected) }),
    found: foundText(found),
  }
  // An empty part of a path is a value that was not there.
  if (/\/\/|\/(?:\?|$)/.test(found.request.slice(found.request.indexOf('/') + 1)) && expected) {
    return otherId(undefined, {
      before,
      misread: (kind, why) =>
        because(
          'documentation_misread',
          kind,
          `a part of the path ${steady(found.request)} is empty: ${why}`,
          more,
        ),
      mismanaged: (kind, why) =>
        because(
          'implicit_state_mismanaged',
          kind,
          `a part of the path ${steady(found.request)} is empty: ${why}`,
          more,
        ),
    })
  }
  const says = `${steady(found.request.split('?')[0] as string)} is no endpoint of the documentation; it answered ${found.status}`
  return because('documentation_misread', 'unknown_endpoint', says, more)
}

function missingCall(expected: ExpectedCall, steps: readonly Aligned[]): Cause {
  const more = { api: expected.api, expected: expectedText(expected) }
  const elsewhere = steps.some(
    (step) =>
      !step.expected && step.found?.api === expected.api && differing(expected, step.found).length === 0,
  )
  return elsewhere
    ? because(
        'instruction_not_followed',
        'other_order',
        `${expected.api} was called at another place than the instruction says`,
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
  found: ObservedCall,
  steps: readonly Aligned[],
  before: readonly ObservedCall[],
): Cause | null {
  const api = found.api as string
  const more = { api, found: foundText(found) }
  const twin = steps.find(({ expected }) => expected?.api === api && differing(expected, found).length === 0)
  if (twin && !twin.found)
    return because(
      'instruction_not_followed',
      'other_order',
      `${api} was called at another place than the instruction says`,
      more,
    )
  if (twin && (found.changes || found.status >= 400))
    return because(
      'instruction_not_followed',
      'extra_call',
      `${api} was called once more than the instruction says`,
      more,
    )
  if (found.status === 404) {
    const [argument, foundValue] =
      Object.entries(found.args).findLast(([name]) => name !== 'data' && name !== 'body') ?? []
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
  if (found.status >= 400 && found.status < 500) {
    const absent = Object.entries(found.args).find(([, value]) => isAbsent(value))?.[0]
    const why = absent ? `${absent} has no value` : 'the request does not have the documented form'
    return because(
      'documentation_misread',
      found.unknown.length > 0 ? 'unknown_parameter' : 'wrong_form',
      `${api} answered ${found.status}: ${why}`,
      more,
    )
  }
  if (!found.changes) return null
  return because(
    'instruction_not_followed',
    'extra_call',
    `${api} was called, which the instruction does not ask for`,
    more,
  )
}
