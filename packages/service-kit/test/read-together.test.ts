import { expect, test } from '@jest/globals'
import { readTogether } from '../src/read-together.ts'

/** A source whose readings end when they are told to. */
function source() {
  const readings: PromiseWithResolvers<number>[] = []
  const read = readTogether(() => {
    const reading = Promise.withResolvers<number>()
    readings.push(reading)
    return reading.promise
  })
  return { read, readings }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('one reading serves all who ask before it begins; who asks while it is under way gets the next', async () => {
  const { read, readings } = source()
  const first = [read(), read()]
  await turn()
  expect(readings).toHaveLength(1)
  const later = [read(), read(), read()]
  await turn()
  expect(readings).toHaveLength(1)
  readings[0]!.resolve(1)
  expect(await Promise.all(first)).toEqual([1, 1])
  await turn()
  expect(readings).toHaveLength(2)
  readings[1]!.resolve(2)
  expect(await Promise.all(later)).toEqual([2, 2, 2])
})

test('a reading that fails fails for those who share it, and for nobody else', async () => {
  const { read, readings } = source()
  const first = read()
  await turn()
  const second = read()
  readings[0]!.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await turn()
  readings[1]!.resolve(5)
  expect(await second).toBe(5)
})
