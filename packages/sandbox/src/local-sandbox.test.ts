import { expect, test } from '@jest/globals'
import { createSandbox } from './create-sandbox.ts'
import { createFakeWorld } from './fakes.ts'
import { lackingContainers } from './jail/containers.ts'
import { sandboxLaws } from './laws.ts'
import { completeLimits } from './limits.ts'
import type { World } from './world.ts'

sandboxLaws('process-jail', () => createSandbox({ level: 'process-jail' }))
sandboxLaws('warm-jail', () => createSandbox({ level: 'warm-jail' }))
// Half a second for each program.
if (process.env['STATEEVAL_LONG'] === '1' && lackingContainers() === undefined)
  sandboxLaws('gvisor', () => createSandbox({ level: 'gvisor' }))

test('a run that the wall clock ended beside others, hardly computing, is repeated alone', async () => {
  const sandbox = await createSandbox({ level: 'warm-jail', concurrency: 2 })
  const fake = createFakeWorld()
  const opens = { waits: 0, computes: 0 }
  const worldOf = (name: keyof typeof opens): World => ({
    ...fake,
    open: (initial, limits) => {
      opens[name]++
      return fake.open(initial, limits)
    },
  })
  const run = (name: keyof typeof opens, code: string) =>
    sandbox.run(
      {
        language: 'javascript',
        code,
        inputs: [{ variables: {}, world: {} }],
        world: worldOf(name),
        limits: completeLimits({ wallMs: 500 }),
      },
      new AbortController().signal,
    )
  const timeout = { status: 'timeout', limit: 'wall', afterMs: 500 }
  const [waits, computes] = await Promise.all([run('waits', 'setInterval(() => {}, 50)'), run('computes', 'for (;;);')])
  expect([waits[0]!.ending, computes[0]!.ending]).toEqual([timeout, timeout])
  // Whether the other one computed enough is up to the machine.
  expect(opens.waits).toBe(2)
  await run('waits', 'setInterval(() => {}, 50)')
  expect(opens.waits).toBe(3)
  await sandbox.close()
})
