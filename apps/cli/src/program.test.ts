import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { defineCommand } from './command.ts'
import { createProgram } from './program.ts'

test('a request that Ctrl-C cuts short is an interruption, not an unexpected error', async () => {
  const interrupted = new AbortController()
  const fetching = defineCommand({
    name: 'fetching',
    describe: 'Asks a server that takes long',
    example: 'npx stateeval fetching',
    run: async ({ signal }) => {
      setTimeout(() => interrupted.abort(), 10)
      await pause(60_000, undefined, { signal })
      return 0
    },
  })
  const err: string[] = []
  const to = (texts: string[]) => ({ write: (text: string) => texts.push(text) > 0 }) as NodeJS.WriteStream
  const streams = { stdout: to([]), stderr: to(err), colors: false, progressLines: false }
  expect(await createProgram(streams, interrupted.signal, [fetching])(['fetching'])).toBe(2)
  expect(err).toEqual(['stateeval: Interrupted. Run the command again to repeat it.\n'])
})
