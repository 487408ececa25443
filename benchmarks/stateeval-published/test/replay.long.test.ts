/**
 * Cases in the published form from our own programs, replayed in the real sandbox: in parallel and in any
 * order each reference passes under both policies. The truth comes from state machines, so this holds
 * harness, mock and comparisons against another path.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { getFirstAnswer } from '@stateeval/program'
import { scenarioNames } from '../case.ts'
import { imported, long, ownFiles } from './own.ts'
import { type Runner, startRunner } from './run.ts'

let runner: Runner
beforeAll(async () => {
  runner = await startRunner()
})
afterAll(() => runner.close())

test.each(scenarioNames)('references of %s pass under both policies', async (name) => {
  const missing = await runner.missing(name)
  if (missing !== null) return console.log(`skipped: ${missing}`)
  const all = imported(ownFiles(name, long ? 60 : 4))
  expect(all.set.warnings).toEqual([])
  expect(all.cases).toHaveLength(long ? 60 : 4)
  const failed: unknown[] = []
  await Promise.all(
    all.cases.toReversed().map(async (c) => {
      const answer = getFirstAnswer(all.benchmark.player(c, { prompting: 'direct' }))!
      const { policies } = await runner.score(all, c, answer)
      for (const [policy, { passed, differences }] of Object.entries(
        policies ?? { none: { passed: false, differences: [] } },
      ))
        if (!passed) failed.push([c.id, policy, differences, c.task.tests[0]!.program])
    }),
  )
  expect(failed).toEqual([])
})
