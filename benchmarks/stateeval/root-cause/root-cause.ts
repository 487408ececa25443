/**
 * Why a case failed (StateEval, section IV-F), found by laying the candidate's observed calls beside the
 * reference's. A rule names the evidence that it rests on; the first departure that matters decides, since
 * what follows is its consequence.
 */
import { alignSteps, countSharedCalls, type StepAlignment } from './align.ts'
import { isEmptyBefore } from './arguments.ts'
import { listDepartures, type StepDeparture } from './departures.ts'
import { explainMissingPart, explainUnknownName } from './errors.ts'
import { type ObservedCall, readObservedCalls } from './observed.ts'
import { createCause, type RootCauseEvidence, type RootCauseSituation } from './situation.ts'
import { formatSteady } from './texts.ts'
import { alignWrittenCalls } from './replayed.ts'
import { explainUnlogged } from './unlogged.ts'

export {
  type ArgumentEdit,
  causeKinds,
  rootCauses,
  type ExpectedCall,
  type RootCauseSituation,
} from './situation.ts'

/** The cause with its evidence; null for what passed and for what is no fault of the candidate's. */
export function findRootCause(situation: RootCauseSituation): RootCauseEvidence | null {
  const { verdict } = situation
  switch (verdict) {
    case 'passed':
    case 'infrastructure_error':
      return null
    case 'no_code':
      return createCause('instruction_not_followed', 'no_program', 'the answer contains no code')
    case 'syntax_error':
      return createCause('instruction_not_followed', 'no_program', 'the answer is not a runnable program')
    case 'execution_error':
    case 'result_error':
    case 'timeout':
    case 'resource_limit':
      return explainRun(situation)
  }
}

/** Between two branches that fit about as well, the condition is not to blame. */
const clearlyBetter = 0.5

function explainRun(situation: RootCauseSituation): RootCauseEvidence {
  const { observation, evidence, expectedCalls, otherCalls, endpoints } = situation
  const { error } = evidence
  const name = error && explainUnknownName(error)
  if (name) return name
  if (situation.unlogged)
    return (
      explainWritten(situation) ??
      explainUnlogged(situation) ??
      explainEndless(situation, []) ??
      explainResult(situation, [], undefined) ??
      createUnclear(situation)
    )
  const calls = observation ? readObservedCalls(observation, endpoints, expectedCalls) : []
  const loop = explainEndless(situation, calls)
  if (loop) return loop
  const ended = observation?.ending.status === 'completed' || observation?.ending.status === 'no_result'
  const ownAlignment = alignSteps(expectedCalls, calls)
  const allDepartures = listDepartures(ownAlignment.steps, ended)
  const strong = allDepartures.find(({ weak }) => !weak)
  if (
    otherCalls &&
    observation &&
    !isBeforeIf(strong, situation) &&
    explainWrongBranch(
      ownAlignment,
      alignSteps(otherCalls, readObservedCalls(observation, endpoints, otherCalls)),
      ended,
    )
  )
    return createWrongBranch()
  if (strong) return strong.cause
  const errorCause = error && explainMissingPart(error, situation, calls)
  if (errorCause) return errorCause
  return (
    explainResult(situation, calls, allDepartures[0]?.cause) ??
    allDepartures[0]?.cause ??
    createUnclear(situation)
  )
}

/** What departs before the if has nothing to do with its branches. */
const isBeforeIf = (
  departure: StepDeparture | undefined,
  { expectedCalls, otherCalls = [] }: RootCauseSituation,
): boolean => departure !== undefined && departure.at < countSharedCalls(expectedCalls, otherCalls)

const createWrongBranch = () =>
  createCause('instruction_not_followed', 'wrong_branch', 'the calls are those of the other branch of the if')

/** Explains a program that ran to its end by the calls that its text tells; null where it tells none. */
function explainWritten(situation: RootCauseSituation): RootCauseEvidence | null {
  const { writtenCalls, expectedCalls, otherCalls } = situation
  if (!writtenCalls) return null
  const departures = listDepartures(
    alignWrittenCalls({ writtenCalls, expectedCalls, ...(otherCalls && { otherCalls }) }),
    true,
  )
  const strong = departures.find(({ weak }) => !weak)
  const isOther =
    otherCalls &&
    explainWrongBranch(alignSteps(expectedCalls, writtenCalls), alignSteps(otherCalls, writtenCalls), true)
  if (isOther && !isBeforeIf(strong, situation)) return createWrongBranch()
  if (strong) return strong.cause
  const result = explainResult(situation, [], undefined)
  return result && result.kind !== 'other_result' ? result : (departures[0]?.cause ?? result)
}

/**
 * The other branch fits the calls; where the program broke off, what it did not come to is left out on both
 * sides.
 */
function explainWrongBranch(ownAlignment: StepAlignment, other: StepAlignment, ended: boolean): boolean {
  const costOf = ({ steps, cost }: StepAlignment) => {
    if (ended) return cost
    const last = steps.findLastIndex(({ actual }) => actual !== undefined)
    return cost - steps.slice(last + 1).reduce((sum, { expected }) => sum + (expected?.changes ? 1 : 0.8), 0)
  }
  const fitting = ({ steps }: StepAlignment) =>
    steps.filter(({ expected, actual }) => actual && actual.api === expected?.api).length
  return (
    costOf(other) + clearlyBetter <= costOf(ownAlignment) &&
    fitting(other) > 0 &&
    fitting(other) >= fitting(ownAlignment)
  )
}

/** More of one request than any instruction asks for. */
const manyTimes = 20

function explainEndless(
  { verdict }: RootCauseSituation,
  calls: readonly ObservedCall[],
): RootCauseEvidence | null {
  if (verdict !== 'timeout' && verdict !== 'resource_limit') return null
  const last = calls.at(-1)
  const repetitions = calls.filter(({ request }) => request === last?.request).length
  if (last && repetitions > manyTimes)
    return createCause(
      'implicit_state_mismanaged',
      'endless_wait',
      'the code repeats one request and waits for a state that never occurs',
      {
        ...(last.api !== null && { api: last.api }),
        found: formatSteady(last.request),
      },
    )
  return createCause(
    'instruction_not_followed',
    'extra_call',
    'the code does more than the instruction asks for, or never ends',
  )
}

function explainResult(
  { verdict, observation, resultKeys, branching, code, evidence }: RootCauseSituation,
  calls: readonly ObservedCall[],
  unread: RootCauseEvidence | undefined,
): RootCauseEvidence | null {
  if (verdict !== 'result_error' || !observation) return null
  const { ending } = observation
  const other = (says: string, argument?: string) =>
    createCause('instruction_not_followed', 'other_result', says, argument === undefined ? {} : { argument })
  if (ending.status === 'no_result') {
    if (/circular|cyclic|function|JSON/.test(ending.reason))
      return createCause(
        'documentation_misread',
        'unknown_property',
        `RESULT contains more than the answer’s data: ${formatSteady(ending.reason)}`,
      )
    return other(`RESULT was not set: ${formatSteady(ending.reason)}`)
  }
  if (ending.status !== 'completed') return null
  if (ending.result === null || typeof ending.result !== 'object' || Array.isArray(ending.result))
    return other('RESULT is not an object with the keys that the instruction names')
  const result = ending.result as Record<string, unknown>
  if (
    branching &&
    hasSameNames(Object.keys(result), branching.otherKeys) &&
    !hasSameNames(resultKeys, branching.otherKeys)
  )
    return createCause(
      'instruction_not_followed',
      'wrong_branch',
      'RESULT has the keys of the other branch of the if',
    )
  const missing = resultKeys.filter((key) => !Object.hasOwn(result, key) || result[key] === null)
  const mentionedKeys = missing.filter((key) => code !== undefined && new RegExp(`\\b${key}\\b`).test(code))
  const [key] = mentionedKeys
  if (key !== undefined) {
    if (isEmptyBefore(calls))
      return createCause(
        'implicit_state_mismanaged',
        'empty_result',
        `RESULT.${key} has no value: it was read from an answer that is empty`,
        {
          argument: key,
        },
      )
    return createCause(
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
    return createCause(
      'implicit_state_mismanaged',
      'other_item',
      `RESULT has the id of another item: ${difference.says}`,
      more,
    )
  // A read was left out, and RESULT has what an earlier one of that kind answered.
  if (
    unread &&
    argument !== undefined &&
    calls.some(({ answer }) => Array.isArray(answer) && answer.length === getListLength(result[argument]))
  )
    return createCause(
      'implicit_state_mismanaged',
      'stale_value',
      `RESULT.${argument} is an earlier answer, not the one after the changes: ${difference.says}`,
      more,
    )
  return other(`RESULT differs: ${difference.says}`, argument)
}

const hasSameNames = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((name) => b.includes(name))
const getListLength = (value: unknown) => (Array.isArray(value) ? value.length : -1)

const createUnclear = ({ evidence: { differences } }: RootCauseSituation): RootCauseEvidence =>
  createCause(
    'instruction_not_followed',
    'unclear',
    differences[0]
      ? `a value is not what the instruction says: ${differences[0].says}`
      : 'the calls are the expected ones, but what they lead to is not',
  )
