/** Memory that many share: nobody gets more than there is, nobody waits for ever. */
import { expect, test } from '@jest/globals'
import { ByteBudget } from '../src/index.ts'

/** Lets everything happen that can happen now. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('whoever wants more than is left waits, and nobody overtakes', async () => {
  const budget = new ByteBudget(10)
  const order: string[] = []
  const take = async (name: string, bytes: number) => {
    const giveBack = await budget.take(bytes)
    order.push(name)
    return giveBack
  }
  const first = await take('first', 6)
  const large = take('large', 8)
  const small = take('small', 2)
  await settle()
  expect(order).toEqual(['first'])
  first()
  first()
  await settle()
  expect(order).toEqual(['first', 'large', 'small'])
  ;(await large)()
  ;(await small)()
  // More than there is counts as all of it.
  const all = await take('all', 100)
  const next = take('next', 1)
  await settle()
  expect(order.at(-1)).toBe('all')
  all()
  await next
})

test('whoever leaves gives way to those behind', async () => {
  const budget = new ByteBudget(10)
  const release = await budget.take(6)
  const leaving = new AbortController()
  const large = budget.take(8, leaving.signal)
  const small = budget.take(2)
  leaving.abort(new Error('left'))
  await expect(large).rejects.toThrow('left')
  await small
  await expect(budget.take(1, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  release()
})
