import { expect, jest, test } from '@jest/globals'
import { JailProcess } from './process.ts'
import { listDescendants } from './process-tree.ts'

const command = (script: string) => ({
  ...{
    command: 'sh',
    args: ['-c', script],
    env: { PATH: process.env['PATH'] ?? '' },
    jailed: true,
    grouped: false,
  },
})

test('who has ended is not signalled again: its number may be somebody else’s by then', async () => {
  const jail = new JailProcess(command('sleep 60 & wait; true'))
  while (listDescendants(jail.pid!).length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  const numbers = listDescendants(jail.pid!)
  jail.kill()
  // Without bubblewrap nothing takes the outer one along.
  await jail.exited
  const kill = jest.spyOn(process, 'kill').mockReturnValue(true)
  await new Promise((resolve) => setTimeout(resolve, 700))
  const signalled = kill.mock.calls.map(([pid]) => pid).filter((pid) => numbers.includes(pid))
  kill.mockRestore()
  expect(signalled).toEqual([])
})

test('who has not ended by then is', async () => {
  // It outlives its first child.
  const jail = new JailProcess(command('sleep 60; sleep 60'))
  while (listDescendants(jail.pid!).length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  jail.kill()
  expect(await jail.exited).toEqual({ code: null, signal: 'SIGKILL' })
})
