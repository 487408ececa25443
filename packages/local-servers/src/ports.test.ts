/** Processes that choose ports at once choose different ones. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { claimFreePort } from './ports.ts'

/** Chooses when it is told to, prints what it chose, and keeps it until its stdin ends. */
const chooser = `
import { claimFreePort } from ${JSON.stringify(join(import.meta.dirname, 'ports.ts'))}
const [wished, count] = JSON.parse(process.argv[1])
process.stdout.write('ready\\n')
process.stdin.once('data', async () => {
  const claims = await Promise.all(Array.from({ length: count }, () => claimFreePort(wished)))
  process.stdout.write(JSON.stringify(claims.map(({ port }) => port)) + '\\n')
})
process.stdin.once('end', () => process.exit(0))
`
const line = async (child: ChildProcess) => String((await once(child.stdout!, 'data'))[0])

test('processes that start at once never choose the same port, whatever they wish', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port: taken } = blocker.address() as { port: number }
  const wished = [taken, ...Array.from({ length: 20 }, (_, n) => 21_000 + n)]
  const task = JSON.stringify([wished, 8])
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module-typescript', '-e', chooser, task], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  try {
    await Promise.all(children.map(line))
    const answers = children.map(line)
    for (const child of children) child.stdin.write('choose\n')
    const ports = (await Promise.all(answers)).flatMap((text) => JSON.parse(text) as number[])
    expect(ports).toHaveLength(32)
    expect(new Set(ports).size).toBe(32)
    expect(ports).not.toContain(taken)
  } finally {
    for (const child of children) child.stdin.end()
    await Promise.all(children.map((child) => once(child, 'close')))
    blocker.close()
  }
})

test('a port is free again once it is released, and can be listened on while it is claimed', async () => {
  const { port, release } = await claimFreePort()
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
  const other = await claimFreePort([port])
  expect(other.port).not.toBe(port)
  release()
  release()
  other.release()
  const again = await claimFreePort([port])
  expect(again.port).toBe(port)
  again.release()
  const avoided = await claimFreePort([port], new Set([port]))
  expect(avoided.port).not.toBe(port)
  avoided.release()
})
