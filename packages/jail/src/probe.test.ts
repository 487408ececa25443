/** A jail without a layer of the minimum is refused. */
import { expect, test } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { runAlone } from './alone.ts'
import { probe } from './probe.ts'

const works = runAlone([], ['true']).ok
const start = (flags: readonly string[]) => {
  let child: ChildProcess | undefined
  return () => ({
    get pid() {
      return child?.pid
    },
    async ready() {
      child = spawn(
        'bwrap',
        ['--ro-bind', '/', '/', '--die-with-parent', ...flags, '--', 'sh', '-c', 'echo; sleep 60'],
        {
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      )
      await new Promise((resolve) => child!.stdout!.once('data', resolve))
    },
    async release() {
      child!.kill('SIGKILL')
      child!.stdout!.destroy()
      await new Promise((resolve) => child!.once('exit', resolve))
    },
  })
}

;(works ? test : test.skip)('what is missing is named, with what to do', async () => {
  const refused = probe(true, start(['--unshare-pid']))
  await expect(refused).rejects.toThrow(
    /No jail can be started on this machine: a jail would lack .*network namespace \(the host’s own \(this machine supports it\)\).*seccomp/,
  )
  await expect(refused).rejects.toThrow(/apt-get install bubblewrap/)
})
;(works ? test : test.skip)('without a jail nothing is refused, and what is there is told', async () => {
  const { jailed, layers } = await probe(false, start([]))
  expect(jailed).toBe(false)
  expect(layers!.find(({ layer }) => layer === 'seccomp')).toMatchObject({ inForce: false })
})
test('what kept it from starting is told', async () => {
  const trial = () => ({
    ready: () => Promise.reject(new Error('no such tool')),
    release: () => Promise.resolve(),
  })
  await expect(probe(true, trial)).rejects.toThrow('No jail can be started on this machine: no such tool')
})
