/**
 * Judgement by the state that a dialogue leaves: the answers that were asked for were got, and the bookings
 * are those that were asked for. In which order, by which other calls, and how arguments were written doesn't
 * count.
 */
import { canonicalJson, type ValueDifference } from '@stateeval/contracts'
import type { DialogueEnds } from '../creation/sample.ts'
import type { HeardAnswer, TravelState } from '../travel/world.ts'

export type WorldLeaves = Pick<TravelState, 'heard' | 'bookings'>

interface StateJudgement {
  passed: boolean
  /** Answers and bookings that were asked for and are there; and how many were asked for. */
  reached: number
  total: number
  differences: ValueDifference[]
}

type KeptBooking = DialogueEnds['bookings'][number]
const selectConfirmed = (bookings: readonly KeptBooking[]) =>
  bookings.filter(({ status }) => status === 'confirmed')
const formatBookingKey = ({ kind, details }: KeptBooking) => canonicalJson({ kind, details })

/** @param findCall the golden call that gets an answer */
export function judgeWorldState(
  expected: DialogueEnds,
  actual: WorldLeaves,
  findCall: (heard: HeardAnswer) => string | undefined = () => undefined,
): StateJudgement {
  const heard = new Set(actual.heard.map((one) => canonicalJson(one)))
  const expectedHearings = [...new Set(expected.heard.map((one) => canonicalJson(one)))]
  const missing = expectedHearings.filter((one) => !heard.has(one))
  const { lost, surplus } = compareLists(
    selectConfirmed(expected.bookings).map(formatBookingKey),
    selectConfirmed(actual.bookings).map(formatBookingKey),
  )
  const differences: ValueDifference[] = [
    ...missing.map((one) => {
      const heard = JSON.parse(one) as HeardAnswer
      const call = findCall(heard)
      return {
        where: 'answers',
        ...(call !== undefined && { expected: cutStateText(call) }),
        says: `the answer of ${heard.function} that the query requires was never received`,
      }
    }),
    ...lost.map((one) => ({
      where: 'bookings',
      expected: cutStateText(one),
      says: 'this booking is missing',
    })),
    ...surplus.map((one) => ({
      where: 'bookings',
      found: cutStateText(one),
      says: 'this was booked but not requested',
    })),
  ]
  const count = expectedHearings.length + selectConfirmed(expected.bookings).length
  return {
    passed: differences.length === 0,
    reached: count - missing.length - lost.length,
    total: count,
    differences,
  }
}

const cutStateText = (text: string) => (text.length > 400 ? `${text.slice(0, 400)} …` : text)

/** Lists what is in one list and not in the other, as often as it is. */
function compareLists(expected: readonly string[], actual: readonly string[]) {
  const surplus = [...actual]
  const lost = expected.filter((one) => {
    const at = surplus.indexOf(one)
    if (at >= 0) surplus.splice(at, 1)
    return at < 0
  })
  return { lost, surplus }
}
