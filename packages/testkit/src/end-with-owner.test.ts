/** No part of a test outlives it, not even if its process is killed or a suite cannot start. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { expect, test } from '@jest/globals'
import { startSuite } from './suite.ts'
import { until } from './until.ts'

const isThere = (pid: number) => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

/** A shell with a child whose environment is empty. */
const sleeps = "['-c', 'env -i sleep 600 & echo $!; wait']"
/** Starts children of each kind, and prints their pids and those of their children. */
const owner = `
  const { spawn } = await import('node:child_process')
  const { once } = await import('node:events')
  const { endChildrenWithThis } = await import('${new URL('end-with-owner.ts', import.meta.url).href}')
  endChildrenWithThis()
  const pids = []
  const start = async (options) => {
    const child = spawn('/bin/sh', ${sleeps}, { stdio: ['ignore', 'pipe', 'ignore'], ...options })
    pids.push(child.pid, Number(await once(child.stdout, 'data')))
    return child
  }
  await start({})
  await start({ detached: true })
  const deaf = spawn('/bin/sh', ['-c', 'trap "" INT TERM HUP; echo; while :; do sleep 600; done'], { detached: true })
  await once(deaf.stdout, 'data')
  pids.push(deaf.pid)
  const parent = spawn('/bin/sh', ['-c', 'sleep 600 & echo $!'])
  pids.push(Number(await once(parent.stdout, 'data')))
  console.log(JSON.stringify(pids))`

test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL', 'none'] as const)(
  'children end with their owner, also detached and orphaned ones: %s',
  async (signal) => {
    const code = signal === 'none' ? `${owner}\nthrow new Error()` : owner
    const ownerProcess = spawn(process.execPath, ['--input-type=module', '--eval', code])
    const [text] = (await once(ownerProcess.stdout, 'data')) as [Buffer]
    const pids = JSON.parse(text.toString()) as number[]
    expect(pids).toHaveLength(6)
    if (signal !== 'none') {
      expect(pids.filter(isThere)).toEqual(pids)
      ownerProcess.kill(signal)
    }
    await until(() => !pids.some(isThere))
  },
)

test('a suite that cannot start stops its servers, so that no test waits for them', async () => {
  const servers = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && isChild(Number(name)))
      .filter((name) => /stateeval-local|mongod|nats-server/.test(readCommand(name)))
  const before = servers()
  await expect(startSuite({ only: ['scoring'], env: { PORT: 'nonsense' } })).rejects.toThrow(/PORT/)
  await until(() => servers().length <= before.length)
})
const readCommand = (pid: string) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
const isChild = (pid: number) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return fields[1] === String(process.pid) && fields[0] !== 'Z'
  } catch {
    return false
  }
}
