/**
 * Why a case failed (StateEval, section IV-F), found by laying the candidate's observed calls beside the
 * reference's. A rule names the evidence that it rests on; the first departure that matters decides, since
 * what follows is its consequence.
 */
import { type Alignment, align } from './align.ts'
import { emptyBefore } from './arguments.ts'
import { departures } from './departures.ts'
import { missingPart, unknownName } from './errors.ts'
import { type ObservedCall, observedCalls } from './observed.ts'
import { because, type Cause, type RootCauseSituation } from './situation.ts'
import { steady } from './texts.ts'
import { fromCode } from './unlogged.ts'

export { causeKinds, rootCauses, type ExpectedCall, type RootCauseSituation } from './situation.ts'

/** The cause with its evidence; null for what passed and for what is no fault of the candidate's. */
export function rootCause(situation: RootCauseSituation): Cause | null {
  const { verdict } = situation
  switch (verdict) {
    case 'passed':
    case 'infrastructure_error':
      return null
    case 'no_code':
      return because('instruction_not_followed', 'no_program', 'the answer contains no code')
    case 'syntax_error':
      return because('instruction_not_followed', 'no_program', 'the answer is not a runnable program')
    case 'execution_error':
    case 'result_error':
    case 'timeout':
    case 'resource_limit':
      return fromRun(situation)
  }
}

/** Between two branches that fit about as well, the condition is not to blame. */
const clearlyBetter = 0.5

function fromRun(situation: RootCauseSituation): Cause {
  const { observation, evidence, expectedCalls, otherCalls, endpoints } = situation
  const { error } = evidence
  const name = error && unknownName(error)
  if (name) return name
  if (situation.unlogged)
    return (
      fromCode(situation) ??
      endless(situation, []) ??
      ofResult(situation, [], undefined) ??
      unclear(situation)
    )
  const calls = observation ? observedCalls(observation, endpoints, expectedCalls) : []
  const loop = endless(situation, calls)
  if (loop) return loop
  const ended = observation?.ending.status === 'completed' || observation?.ending.status === 'no_result'
  const ownAlignment = align(expectedCalls, calls)
  if (
    otherCalls &&
    observation &&
    wrongBranch(ownAlignment, align(otherCalls, observedCalls(observation, endpoints, otherCalls)), ended)
  )
    return because(
      'instruction_not_followed',
      'wrong_branch',
      'the calls are those of the other branch of the if',
    )
  const allDepartures = departures(ownAlignment.steps, ended)
  const strong = allDepartures.find(({ weak }) => !weak)
  if (strong) return strong.cause
  const errorCause = error && missingPart(error, situation, calls)
  if (errorCause) return errorCause
  return ofResult(situation, calls, allDepartures[0]?.cause) ?? allDepartures[0]?.cause ?? unclear(situation)
}

/**
 * The other branch fits the calls; where the program broke off, what it did not come to is left out on both
 * sides.
 */
function wrongBranch(ownAlignment: Alignment, other: Alignment, ended: boolean): boolean {
  const costOf = ({ steps, cost }: Alignment) => {
    if (ended) return cost
    const last = steps.findLastIndex(({ actual }) => actual !== undefined)
    return cost - steps.slice(last + 1).reduce((sum, { expected }) => sum + (expected?.changes ? 1 : 0.8), 0)
  }
  const fitting = ({ steps }: Alignment) =>
    steps.filter(({ expected, actual }) => actual && actual.api === expected?.api).length
  return (
    costOf(other) + clearlyBetter <= costOf(ownAlignment) &&
    fitting(other) > 0 &&
    fitting(other) >= fitting(ownAlignment)
  )
}

/** More of one request than any instruction asks for. */
const manyTimes = 20

function endless({ verdict }: RootCauseSituation, calls: readonly ObservedCall[]): Cause | null {
  if (verdict !== 'timeout' && verdict !== 'resource_limit') return null
  const last = calls.at(-1)
  const repetitions = calls.filter(({ request }) => request === last?.request).length
  if (last && repetitions > manyTimes)
    return because(
      'implicit_state_mismanaged',
      'endless_wait',
      'the code repeats one request and waits for a state that never occurs',
      {
        ...(last.api !== null && { api: last.api }),
        found: steady(last.request),
      },
    )
  return because(
    'instruction_not_followed',
    'extra_call',
    'the code does more than the instruction asks for, or never ends',
  )
}

function ofResult(
  { verdict, observation, resultKeys, branching, code, evidence }: RootCauseSituation,
  calls: readonly ObservedCall[],
  unread: Cause | undefined,
): Cause | null {
  if (verdict !== 'result_error' || !observation) return null
  const { ending } = observation
  const other = (says: string, argument?: string) =>
    because('instruction_not_followed', 'other_result', says, argument === undefined ? {} : { argument })
  if (ending.status === 'no_result') {
    if (/circular|cyclic|function|JSON/.test(ending.reason))
      return because(
        'documentation_misread',
        'unknown_property',
        `RESULT contains more than the answer’s data: ${steady(ending.reason)}`,
      )
    return other(`RESULT was not set: ${steady(ending.reason)}`)
  }
  if (ending.status !== 'completed') return null
  if (ending.result === null || typeof ending.result !== 'object' || Array.isArray(ending.result))
    return other('RESULT is not an object with the keys that the instruction names')
  const result = ending.result as Record<string, unknown>
  if (
    branching &&
    sameNames(Object.keys(result), branching.otherKeys) &&
    !sameNames(resultKeys, branching.otherKeys)
  )
    return because(
      'instruction_not_followed',
      'wrong_branch',
      'RESULT has the keys of the other branch of the if',
    )
  const missing = resultKeys.filter((key) => !Object.hasOwn(result, key) || result[key] === null)
  const mentionedKeys = missing.filter((key) => code !== undefined && new RegExp(`\\b${key}\\b`).test(code))
  const [key] = mentionedKeys
  if (key !== undefined) {
    if (emptyBefore(calls))
      return because(
        'implicit_state_mismanaged',
        'empty_result',
        `RESULT.${key} has no value: it was read from an answer that is empty`,
        {
          argument: key,
        },
      )
    return because(
      'documentation_misread',
      'unknown_property',
      `RESULT.${key} has no value: it was read from a missing property`,
      { argument: key },
    )
  }
  if (missing.length > 0) return other(`RESULT lacks ${missing.join(', ')}`, missing[0])
  const difference = evidence.differences.find(({ where }) => where.startsWith('result'))
  if (!difference) return null
  const argument = difference.where.split(/[.[]/)[1]
  const more = argument === undefined ? {} : { argument }
  if (/the id of |no id of this run|ids are not used/.test(difference.says))
    return because(
      'implicit_state_mismanaged',
      'other_item',
      `RESULT has the id of another item: ${difference.says}`,
      more,
    )
  // A read was left out, and RESULT has what an earlier one of that kind answered.
  if (
    unread &&
    argument !== undefined &&
    calls.some(({ answer }) => Array.isArray(answer) && answer.length === lengthOf(result[argument]))
  )
    return because(
      'implicit_state_mismanaged',
      'stale_value',
      `RESULT.${argument} is an earlier answer, not the one after the changes: ${difference.says}`,
      more,
    )
  return other(`RESULT differs: ${difference.says}`, argument)
}

const sameNames = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((name) => b.includes(name))
const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : -1)

const unclear = ({ evidence: { differences } }: RootCauseSituation): Cause =>
  because(
    'instruction_not_followed',
    'unclear',
    differences[0]
      ? `a value is not what the instruction says: ${differences[0].says}`
      : 'the calls are the expected ones, but what they lead to is not',
  )
