import { expect, test } from '@jest/globals'
import { RunTurns } from './turns.ts'

const never = new AbortController().signal
const gate = () => Promise.withResolvers<void>()

test('shared turns run side by side, and know it', async () => {
  const turns = new RunTurns()
  const [a, b] = [gate(), gate()]
  const first = turns.shared(() => a.promise, never)
  const second = turns.shared(() => b.promise, never)
  a.resolve()
  b.resolve()
  expect((await first).crowded).toBe(true)
  expect((await second).crowded).toBe(true)
  expect((await turns.shared(async () => {}, never)).crowded).toBe(false)
})

test('a turn alone waits for those before it, and those after it wait', async () => {
  const turns = new RunTurns()
  const order: string[] = []
  const open = gate()
  const before = turns.shared(async () => {
    await open.promise
    order.push('before')
  }, never)
  const alone = turns.alone(async () => {
    order.push('alone')
    await Promise.resolve()
    order.push('alone ends')
  }, never)
  const after = turns.shared(async () => void order.push('after'), never)
  open.resolve()
  await Promise.all([before, alone, after])
  expect(order).toEqual(['before', 'alone', 'alone ends', 'after'])
})

test('who gives up lets the others go on', async () => {
  const turns = new RunTurns()
  const open = gate()
  const before = turns.shared(() => open.promise, never)
  const giving = new AbortController()
  const alone = turns.alone(async () => {}, giving.signal)
  const after = turns.shared(async () => 'ran', never)
  giving.abort(new Error('enough'))
  await expect(alone).rejects.toThrow('enough')
  expect((await after).value).toBe('ran')
  open.resolve()
  await before
})

test('a failure ends the turn', async () => {
  const turns = new RunTurns()
  await expect(turns.alone(() => Promise.reject(new Error('no')), never)).rejects.toThrow('no')
  expect(await turns.alone(async () => 1, never)).toBe(1)
})
