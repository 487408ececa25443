import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from '@jest/globals'
import { toolPath, dropRootCommand } from './alone.ts'
import { isCountingByNamespace, limitRunning } from './process-limit.ts'
import { listDescendants } from './process-tree.ts'

test('kernels that count processes by user namespace are told by their version', () => {
  expect(['5.13.19', '5.14.0-1', '6.1.0', '4.19.0', 'odd'].map(isCountingByNamespace)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
})

const limited = isCountingByNamespace() ? test : test.skip
limited('a jail starts no more processes than its limit, and a jail beside it is not counted', async () => {
  const forks =
    'import os, time\ninput()\nfor _ in range(100):\n  try:\n    if os.fork() == 0:\n      time.sleep(60)\n  except OSError:\n    pass\nprint("forked", flush=True)\ntime.sleep(60)'
  const jail = () => {
    const words = [
      ...dropRootCommand(),
      ...[
        'bwrap',
        '--unshare-all',
        '--die-with-parent',
        '--as-pid-1',
        '--ro-bind',
        '/',
        '/',
        '--proc',
        '/proc',
        '--dev',
        '/dev',
      ],
      ...['--', '/usr/bin/python3', '-c', forks],
    ]
    const child = spawn(words[0]!, words.slice(1), {
      env: { PATH: toolPath },
      cwd: '/',
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    return {
      inside: () => listDescendants(child.pid!).slice(1),
      async forked(tasks: number) {
        while (this.inside().length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
        limitRunning(this.inside(), { tasks })
        child.stdin.write('\n')
        expect(String(await once(child.stdout, 'data'))).toBe('forked\n')
        return this.inside().length
      },
      async end() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }
  const [one, other] = [jail(), jail()]
  try {
    expect(await one.forked(20)).toBeLessThanOrEqual(20)
    const beside = await other.forked(30)
    expect(beside).toBeGreaterThan(20)
    expect(beside).toBeLessThanOrEqual(30)
  } finally {
    await Promise.all([one.end(), other.end()])
  }
})
