import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createBackOff } from '../src/back-off.ts'

test('however many meet it, there is one wait at a time, and few reports that count all', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 20 }),
      async (rounds) => {
        const reports: { waits: number; count: number }[] = []
        const backOff = createBackOff({ firstMs: 0, longestMs: 0, report: (one) => void reports.push(one) })
        for (const slots of rounds) {
          const waits = Array.from({ length: slots }, () => backOff.met('refused'))
          expect(new Set(waits).size).toBe(1)
          await waits[0]
        }
        expect(reports.length).toBe(Math.floor(Math.log2(rounds.length)) + 1)
        for (const { waits, count } of reports)
          // The first of a round reports it.
          expect(count).toBe(rounds.slice(0, waits - 1).reduce((sum, slots) => sum + slots, 0) + 1)
        backOff.over()
        await backOff.met('again')
        expect(reports.at(-1)).toEqual({ reason: 'again', waits: 1, count: 1 })
      },
    ),
    { numRuns: 30 },
  )
})
