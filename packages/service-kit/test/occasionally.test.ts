import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { checkOccasionally } from '../src/occasionally.ts'

const options = { goodMs: 50, badMs: 10, longestMs: 100 }

test('of any results in any order, callers get none that is older than it counts, and no two checks at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ fails: fc.boolean(), passes: fc.nat(80) }), { minLength: 1, maxLength: 30 }),
      async (steps) => {
        let clock = 0
        let open = 0
        let fails = false
        const made: { at: number; fails: boolean }[] = []
        const ask = checkOccasionally(
          async () => {
            expect(++open).toBe(1)
            made.push({ at: clock, fails })
            await Promise.resolve()
            open--
            if (fails) throw new Error('full')
          },
          { ...options, now: () => clock },
        )
        for (const step of steps) {
          fails = step.fails
          clock += step.passes
          const isRefused = await ask().then(
            () => false,
            () => true,
          )
          const { at, fails: failed } = made.at(-1)!
          expect(isRefused).toBe(failed)
          expect(clock - at).toBeLessThan(failed ? options.badMs : options.goodMs)
        }
      },
    ),
  )
})

test('a check that is slow gives the last result, and fails once it takes too long', async () => {
  let clock = 0
  let hang = false
  const ask = checkOccasionally(() => (hang ? new Promise<never>(() => undefined) : Promise.resolve()), {
    ...options,
    now: () => clock,
  })
  await ask()
  hang = true
  clock = 60
  await ask()
  clock = 200
  await expect(ask()).rejects.toThrow('no answer within 0.1 s')
})
