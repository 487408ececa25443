/** What an execution gives where a canary finds that its warm jail was not clean. */
import { expect, test } from '@jest/globals'
import { createLocalSandbox, createNoWorld } from '@stateeval/sandbox'
import { inJails, plantFile } from '@stateeval/sandbox-suites/in-jails'
import { partial } from '@stateeval/testkit/partial'
import { executeConfirmed } from '../src/execute.ts'

type ExecutionParts = Parameters<typeof executeConfirmed>[1]

const whenRoot = process.getuid?.() === 0 ? test : test.skip

whenRoot.each(['javascript', 'python'] as const)(
  'a program in %s runs again in a separate jail if something was planted in its warm one (only as root)',
  async (language) => {
    const sandbox = await createLocalSandbox({ maxIdle: 1 })
    try {
      const levels: (string | undefined)[] = []
      let plants = true
      const context = partial<ExecutionParts>({
        sandbox: {
          fingerprint: sandbox.fingerprint,
          async each(program, signal, take) {
            const confirmation = await sandbox.each(program, signal, async (observation, at) => {
              levels.push(observation.sandbox)
              await take(observation, at)
            })
            // After the program, and before the canary that confirms its result.
            if (plants) inJails().forEach(plantFile)
            return confirmation
          },
        },
        world: () => Promise.resolve(createNoWorld()),
        log: partial<ExecutionParts['log']>({ warn: () => {} }),
      })
      const request = {
        language,
        code: 'RESULT = 1',
        world: 'none',
        inputs: [{ variables: {}, world: null }],
      }
      const run = () => executeConfirmed(request, context, new AbortController().signal)
      expect(await run()).toMatchObject({
        inline: {
          canaries: { clean: 0, touched: 1 },
          observations: [{ ending: { status: 'completed', result: 1 }, sandbox: 'process-jail' }],
        },
      })
      expect(levels).toEqual(['warm-jail', 'process-jail'])
      plants = false
      // Its spare jail was planted in, too.
      await run()
      expect(await run()).toMatchObject({
        inline: {
          canaries: { clean: 1, touched: 0 },
          observations: [{ ending: { status: 'completed', result: 1 }, sandbox: 'warm-jail' }],
        },
      })
    } finally {
      await sandbox.close()
    }
  },
)
