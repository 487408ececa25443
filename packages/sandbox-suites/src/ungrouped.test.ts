/**
 * Memory has a limit also where nobody may make control groups, as in Docker: then the watchdog alone sees
 * what a run takes.
 */
import { expect, test } from '@jest/globals'
import { completeLimits, createLocalSandbox } from '@stateeval/sandbox'
import { type AttackProgram, attacks, isMet } from '@stateeval/attacks'
import { createSuiteWorld } from './world.ts'

const long = process.env.STATEEVAL_LONG === '1'
const takesMemory = ({ expected, limits }: AttackProgram) =>
  limits !== undefined && isMet({ status: 'killed', by: 'memory' }, expected)
/** What the kernel counts in a way of its own; the rest takes time. */
const byDefault = /^accounting: mapped/
const levels = long ? (['warm-jail', 'process-jail'] as const) : (['warm-jail'] as const)

test('programs that take too much memory are ended without control groups, too', async () => {
  const sandbox = await createLocalSandbox({ groups: false })
  const world = createSuiteWorld()
  const subset = attacks.filter((attack) => takesMemory(attack) && (long || byDefault.test(attack.name)))
  expect(subset.length).toBeGreaterThanOrEqual(long ? 20 : 1)
  for (const level of levels)
    for (const { name, language, code, expected, limits } of subset) {
      if (!sandbox.languages.includes(language)) continue
      const inputs = [{ variables: {}, world: {} }]
      const program = { language, code, inputs, world, limits: completeLimits(limits), level }
      const [observation] = await sandbox.run(program, new AbortController().signal)
      expect([name, isMet(observation!.ending, expected) || observation!.ending]).toEqual([name, true])
    }
  await sandbox.close()
})
