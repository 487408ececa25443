import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const bin = fileURLToPath(new URL('../bin/stateeval.js', import.meta.url))
/** Has a process take itself for Node 20. */
const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`

test('under an older Node the command runs on the pinned one, and ends with the process that was started', async () => {
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(older)}`,
    bin,
    'serve',
    'elevenlabs-mcp',
    '--port',
    '0',
  ]
  const command = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of command.stdout) {
    output += String(chunk)
    if (output.includes('/mcp\n')) break
  }
  const live = new URL('/health/live', /http:\S+/.exec(output)![0])
  expect((await fetch(live)).status).toBe(200)
  const ended = once(command, 'exit')
  command.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  await expect(fetch(live)).rejects.toThrow()
})
