/** Reports are compared in a thread as they are in place. */
import { afterAll, expect, test } from '@jest/globals'
import type { ReportResult } from '@stateeval/contracts'
import { compareReports } from '@stateeval/score'
import { createThreads } from '@stateeval/service-kit'

const threads = createThreads(new URL('./compare.ts', import.meta.url))
afterAll(() => threads.close())

const report = (model: string, passes: (n: number) => boolean) =>
  ({
    ...{ digest: 'd', model, options: {}, version: '1', notScored: 0 },
    groups: {},
    samples: Array.from({ length: 300 }, (_, n) => ({
      ...{ case: `c${n}`, sample: 0 },
      score: {
        ...{ passed: passes(n), verdict: passes(n) ? 'passed' : 'result_error' },
        ...{ metrics: { pass: passes(n) ? 1 : 0, partial: n % 3 }, evidence: { differences: [] } },
      },
    })),
  }) as unknown as ReportResult

test('reports are compared in a thread, while others get their turn', async () => {
  const reports = [report('a', (n) => n % 2 === 0), report('b', (n) => n % 3 === 0)]
  const results = reports.map((one) => Buffer.from(JSON.stringify(one)))
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const compared = await threads.run('compare', { results, seed: 1 })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
  expect(compared).toEqual(compareReports(reports, { seed: 1 }))
})
