/**
 * Sessions: RESULT and what the service holds, as the released evaluator compares them and as `sound` does.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { Session } from '../case.ts'
import type { Value } from '../run/report.ts'
import { type Compared, compared, differs, raises, same } from './judgement.ts'
import { equal, isDict, memberOf, numberOf, sameBag, valueText, valueOf } from './value.ts'

/** Numbers of RESULT that are this close are the same to the released evaluator. */
const closeEnough = 1e-4

/**
 * The released rule: `id` leaves both, then every key OF THE CANDIDATE must be as in the truth, so `{}` is
 * any dict; a key that the truth lacks raises. Lists keep the ids of the generating run and equal nothing.
 * Without RESULT, a null truth passes.
 */
export function publishedResult(truth: JsonValue, result: Value | undefined): Compared {
  if (result === undefined)
    return truth === null ? same : differs(`RESULT is missing; expected: ${valueText(valueOf(truth))}`)
  const expected = valueOf(truth)
  const says = () => `RESULT is ${valueText(result)}; expected: ${valueText(expected)}`
  if (!isDict(result) || !isDict(expected)) return compared(equal(result, expected), says)
  for (const [key, item] of result.dict) {
    if (key === 'id') continue
    const expectedItem = typeof key === 'string' ? memberOf(expected, key) : undefined
    if (expectedItem === undefined)
      return raises('comparison', `KeyError: RESULT has the key ${valueText(key)}, which the truth lacks`)
    const [one, two] = [numberOf(item), numberOf(expectedItem)]
    const alike =
      one !== null && two !== null ? Math.abs(one - two) <= closeEnough : equal(item, expectedItem)
    if (!alike)
      return differs(`RESULT[${valueText(key)}] is ${valueText(item)}; expected: ${valueText(expectedItem)}`)
  }
  return same
}

/** All of it must be the same, but for ids and checksums, which belong to a run. */
export function soundResult(truth: JsonValue, result: Value | undefined): Compared {
  if (result === undefined)
    return truth === null ? same : differs(`RESULT is missing; expected: ${valueText(valueOf(truth))}`)
  const expected = valueOf(truth)
  return compared(
    equal(result, expected, { tuples: true, tolerance: 1e-6, without: ['id', 'checksum'] }),
    () => `RESULT is ${valueText(result)}; expected: ${valueText(expected)}, ids aside`,
  )
}

const placeOf = ({ source, type }: Session) => JSON.stringify([source, type])
const places = (sessions: readonly Session[]) => [...new Set(sessions.map(placeOf))]
const nameOf = (place: string) => (JSON.parse(place) as string[]).join('/')
const sameData = (a: Session, b: Session, tolerance = 0) =>
  equal(valueOf(a.data), valueOf(b.data), { tolerance })

/**
 * The released rule: pairs of source and type that had sessions in the truth are listed; the data of each
 * session must be those of a truth that none has matched yet, and every truth must be matched. One session
 * marks all equal truths. Other pairs, those that should be empty among them, are not looked at.
 */
export function publishedState(truth: readonly Session[], actual: readonly Session[]): Compared {
  for (const place of places(truth)) {
    const expected = truth.filter((one) => placeOf(one) === place)
    const matched = new Set<Session>()
    for (const session of actual.filter((one) => placeOf(one) === place)) {
      const equals = expected.filter((one) => !matched.has(one) && sameData(one, session))
      if (equals.length === 0)
        return differs(
          `${nameOf(place)} has a session that the truth lacks: ${valueText(valueOf(session.data))}`,
        )
      for (const one of equals) matched.add(one)
    }
    const missing = expected.find((one) => !matched.has(one))
    if (missing) return differs(`${nameOf(place)} lacks the session ${valueText(valueOf(missing.data))}`)
  }
  return same
}

/** All sessions of all pairs, each once. */
export function soundState(truth: readonly Session[], actual: readonly Session[]): Compared {
  for (const place of [...new Set([...places(truth), ...places(actual)])]) {
    const [expected, there] = [truth, actual].map((all) => all.filter((one) => placeOf(one) === place)) as [
      Session[],
      Session[],
    ]
    if (!sameBag(expected, there, (a, b) => sameData(a, b, 1e-6))) {
      const texts = [there, expected].map((all) => valueText({ list: all.map(({ data }) => valueOf(data)) }))
      return differs(`${nameOf(place)} contains ${texts[0]}; expected: ${texts[1]}`)
    }
  }
  return same
}
