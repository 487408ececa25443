import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@stateeval/contracts'
import { InitialError } from '@stateeval/sandbox/initial-error'
import { completeLimits } from '@stateeval/sandbox'
import { callTool, replayLaw } from '@stateeval/sandbox-suites/world-laws'
import fc from 'fast-check'
import { createWorld } from '../../backend/index.ts'
import { travelFunctions } from '../../travel/functions.ts'

const initial = { seed: 'laws' }
const seed = '0123456789abcdef'.repeat(2)

const idIn = (replies: readonly string[], field: string) =>
  replies.flatMap((reply) => {
    const { content } = JSON.parse(reply) as { content: string }
    return new RegExp(`"${field}":"?([^",}]+)`).exec(content)?.[1] ?? []
  })[0] ?? 'none'

const dates = { arrival_date: '2024-12-01', departure_date: '2024-12-03' }
/** What random calls are made of: calls that find places, calls with ids of earlier answers, and nonsense. */
const steps: readonly ((replies: readonly string[]) => [string, JsonObject])[] = [
  () => ['Search_Hotel_Destination', { query: 'Rome' }],
  (r) => ['Search_Hotels', { dest_id: idIn(r, 'dest_id'), search_type: 'city', ...dates }],
  (r) => ['Get_Room_List_With_Availability', { hotel_id: idIn(r, 'hotel_id'), ...dates }],
  (r) => ['Book_Hotel_Room', { hotel_id: idIn(r, 'hotel_id'), room_id: idIn(r, 'room_id'), ...dates }],
  () => ['Search_Flights', { fromId: 'ROM.CITY', toId: 'PAR.CITY', departDate: '2024-12-01' }],
  (r) => ['Book_Flight', { token: idIn(r, 'token') }],
  () => ['Get_Bookings', {}],
  (r) => ['Cancel_Booking', { reference: idIn(r, 'reference') }],
  () => ['Nothing', { a: [1] }],
]

replayLaw('travel', async () => createWorld(), {
  initial,
  entry: fc.integer({ min: 0, max: steps.length - 1 }),
  send: (open, at, replies) => callTool(open, ...steps[at]!(replies)),
})

describe('the world of tool sessions', () => {
  test('it has all functions as tools, under names that chat APIs take', () => {
    const tools = createWorld().tools!()
    expect(tools).toHaveLength(travelFunctions.length)
    for (const { name } of tools) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  })
  test('a refused call is an error, is logged, and changes nothing', async () => {
    const open = await createWorld().open(initial, completeLimits(), seed)
    const before = await open.observe()
    expect(await open.call!('Get_Hotel_Details', {})).toEqual({
      content: '{"status":false,"message":"hotel_id is required"}',
      error: true,
    })
    const after = await open.observe()
    expect(after.world).toEqual(before.world)
    expect(after.log).toMatchObject([{ method: 'CALL', path: 'Get_Hotel_Details', status: 400 }])
  })
  test.each([
    [{}],
    [{ seed: 1 }],
    [{ seed: 'a', more: true }],
    [{ seed: 'a', hidden: [{ function: 'x', ids: [] }] }],
  ])('a wrong initial world %j is refused with words', async (wrong) => {
    await expect(createWorld().open(wrong, completeLimits(), seed)).rejects.toThrow(InitialError)
  })
})
