/**
 * Sessions: RESULT and what the service holds, as the released evaluator compares them and as `sound` does.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { CaseSession } from '../case.ts'
import type { ReportedValue } from '../run/report.ts'
import { type ValueComparison, createComparison, createDifference, createRaise, same } from './judgement.ts'
import {
  isEqualValue,
  isDict,
  findDictMember,
  findNumber,
  isSameBag,
  describeDifference,
  describeValue,
  toTruthValue,
} from './value.ts'

/** Numbers of RESULT that are this close are the same to the released evaluator. */
const closeEnough = 1e-4

/**
 * The released rule: `id` leaves both, then every key OF THE CANDIDATE must be as in the truth, so `{}` is
 * any dict; a key that the truth lacks raises. Lists keep the ids of the generating run and equal nothing.
 * Without RESULT, a null truth passes.
 */
export function compareSessionPublished(
  truth: JsonValue,
  result: ReportedValue | undefined,
): ValueComparison {
  if (result === undefined)
    return truth === null
      ? same
      : createDifference(`RESULT is missing; expected: ${describeValue(toTruthValue(truth))}`)
  const expected = toTruthValue(truth)
  const says = () => `RESULT is ${describeDifference(result, expected)}`
  if (!isDict(result) || !isDict(expected)) return createComparison(isEqualValue(result, expected), says)
  for (const [key, item] of result.dict) {
    if (key === 'id') continue
    const expectedItem = typeof key === 'string' ? findDictMember(expected, key) : undefined
    if (expectedItem === undefined)
      return createRaise(
        'comparison',
        `KeyError: RESULT has the key ${describeValue(key)}, which the truth lacks`,
      )
    const [one, two] = [findNumber(item), findNumber(expectedItem)]
    const alike =
      one !== null && two !== null ? Math.abs(one - two) <= closeEnough : isEqualValue(item, expectedItem)
    if (!alike)
      return createDifference(`RESULT[${describeValue(key)}] is ${describeDifference(item, expectedItem)}`)
  }
  return same
}

/** All of it must be the same, but for ids and checksums, which belong to a run. */
export function compareSessionSound(truth: JsonValue, result: ReportedValue | undefined): ValueComparison {
  if (result === undefined)
    return truth === null
      ? same
      : createDifference(`RESULT is missing; expected: ${describeValue(toTruthValue(truth))}`)
  const expected = toTruthValue(truth)
  return createComparison(
    isEqualValue(result, expected, { tuples: true, tolerance: 1e-6, without: ['id', 'checksum'] }),
    () => `RESULT is ${describeDifference(result, expected)}, ids aside`,
  )
}

const formatPlaceKey = ({ source, type }: CaseSession) => JSON.stringify([source, type])
const listPlaces = (sessions: readonly CaseSession[]) => [...new Set(sessions.map(formatPlaceKey))]
const formatPlaceName = (place: string) => (JSON.parse(place) as string[]).join('/')
const hasSameData = (a: CaseSession, b: CaseSession, tolerance = 0) =>
  isEqualValue(toTruthValue(a.data), toTruthValue(b.data), { tolerance })

/**
 * The released rule: pairs of source and type that had sessions in the truth are listed; the data of each
 * session must be those of a truth that none has matched yet, and every truth must be matched. One session
 * marks all equal truths. Other pairs, those that should be empty among them, are not looked at.
 */
export function compareStatePublished(
  truth: readonly CaseSession[],
  actual: readonly CaseSession[],
): ValueComparison {
  for (const place of listPlaces(truth)) {
    const expected = truth.filter((one) => formatPlaceKey(one) === place)
    const matched = new Set<CaseSession>()
    for (const session of actual.filter((one) => formatPlaceKey(one) === place)) {
      const equals = expected.filter((one) => !matched.has(one) && hasSameData(one, session))
      if (equals.length === 0) {
        const data = describeValue(toTruthValue(session.data))
        return createDifference(
          expected.some((one) => hasSameData(one, session))
            ? `${formatPlaceName(place)} has a session whose equals in the truth were matched before: ${data}`
            : `${formatPlaceName(place)} has a session that the truth lacks: ${data}`,
        )
      }
      for (const one of equals) matched.add(one)
    }
    const missing = expected.find((one) => !matched.has(one))
    if (missing)
      return createDifference(
        `${formatPlaceName(place)} lacks the session ${describeValue(toTruthValue(missing.data))}`,
      )
  }
  return same
}

/** All sessions of all pairs, each once. */
export function compareStateSound(
  truth: readonly CaseSession[],
  actual: readonly CaseSession[],
): ValueComparison {
  for (const place of [...new Set([...listPlaces(truth), ...listPlaces(actual)])]) {
    const [expected, there] = [truth, actual].map((all) =>
      all.filter((one) => formatPlaceKey(one) === place),
    ) as [CaseSession[], CaseSession[]]
    if (!isSameBag(expected, there, (a, b) => hasSameData(a, b, 1e-6))) {
      const [found, should] = [there, expected].map((all): ReportedValue => ({
        list: all.map(({ data }) => toTruthValue(data)),
      }))
      return createDifference(`${formatPlaceName(place)} contains ${describeDifference(found!, should!)}`)
    }
  }
  return same
}
