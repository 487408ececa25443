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

test('a server ends with the process that started it, also where that is killed', async () => {
  const script = `
    const { spawn } = await import('node:child_process')
    const { endWithOwner } = await import('${new URL('end-with-owner.ts', import.meta.url).href}')
    const server = spawn('sleep', ['600'], { stdio: 'ignore' })
    endWithOwner(server)
    console.log(server.pid)`
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', script])
  const [text] = (await once(owner.stdout, 'data')) as [Buffer]
  const pid = Number(text.toString())
  expect(isThere(pid)).toBe(true)
  owner.kill('SIGKILL')
  await until(() => !isThere(pid))
})

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
