import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@stateeval/contracts'
import { makeSamples } from '../../creation/samples.ts'
import { judgeWorldState } from '../../live/judge.ts'
import { ask, openTravel, type TravelState } from '../../travel/world.ts'

const samples = makeSamples({ samples: 15, seed: 'judge' })
const named = (template: string) => samples.find((one) => one.template.id === template)!.sample
type Call = [name: string, args: JsonObject]
const callsOf = (sample: ReturnType<typeof named>): Call[] =>
  sample.turns.flatMap(({ calls }) => calls.map(({ name, arguments: args }): Call => [name, args]))
const stateAfter = (sample: ReturnType<typeof named>, calls: readonly Call[]) =>
  calls.reduce<TravelState>((state, [name, args]) => ask(state, name, args).state, openTravel(sample.world))

describe('judgement by the state left', () => {
  const sample = named('Hotels-2')
  const golden = callsOf(sample)
  test('the order of calls, repeated and further ones don’t count', () => {
    const calls: Call[] = [...golden].reverse().concat(golden, [
      ['Get_Currency', {}],
      ['Get_Hotel_Details', {}],
    ])
    expect(judgeWorldState(sample.left, stateAfter(sample, calls))).toEqual({
      passed: true,
      reached: sample.left.heard.length,
      total: sample.left.heard.length,
      differences: [],
    })
  })
  test('defaults that are written out are equal', () => {
    const calls = golden.map(([name, args]): Call =>
      name === 'Search_Hotels_By_Coordinates' ? [name, { ...args, price_min: 0 }] : [name, args],
    )
    expect(judgeWorldState(sample.left, stateAfter(sample, calls)).passed).toBe(true)
  })
  test('another order of a search that finds the same hotel is equal', () => {
    const search = named('Hotels-1')
    const calls = callsOf(search).map(([name, args]): Call =>
      name === 'Search_Hotels' ? [name, { ...args, sort_by: 'class_descending' }] : [name, args],
    )
    expect(judgeWorldState(search.left, stateAfter(search, calls)).passed).toBe(true)
  })
  test('an answer that was never got is named', () => {
    const judged = judgeWorldState(sample.left, stateAfter(sample, golden.slice(0, -1)))
    expect(judged).toMatchObject({ passed: false, reached: judged.total - 1 })
    expect(judged.differences).toEqual([
      {
        where: 'answers',
        says: 'the answer of Get_Hotel_Policies that the query requires was never received',
      },
    ])
  })
  const booking = named('Attraction-2')
  const booked = callsOf(booking)
  test('bookings must be those that were asked for, each as often', () => {
    expect(judgeWorldState(booking.left, stateAfter(booking, booked)).passed).toBe(true)
    const twice = judgeWorldState(booking.left, stateAfter(booking, [...booked, booked.at(-1)!]))
    expect(twice.differences).toMatchObject([
      { where: 'bookings', says: 'this was booked but not requested' },
    ])
    const none = judgeWorldState(booking.left, stateAfter(booking, booked.slice(0, -1)))
    expect(none.differences).toMatchObject([{ where: 'bookings', says: 'this booking is missing' }])
  })
  test('a booking that was cancelled again leaves nothing', () => {
    const state = stateAfter(booking, [...booked, booked.at(-1)!])
    const { reference } = state.bookings.at(-1)!
    expect(judgeWorldState(booking.left, ask(state, 'Cancel_Booking', { reference }).state).passed).toBe(true)
  })
})
