/** The service closes what the shell had open that started it, before anything else. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listDescendants } from '../../../packages/jail/src/process-tree.ts'

let folder: string
let service: ChildProcess
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'descriptors-'))
  writeFileSync(join(folder, 'secret'), 'SECRET', { mode: 0o600 })
})
afterAll(async () => {
  const exit = new Promise((resolve) => service.once('exit', resolve))
  service.kill('SIGKILL')
  await exit
  rmSync(folder, { recursive: true })
})

test('neither the service nor what it starts has a descriptor of the shell', async () => {
  const main = join(import.meta.dirname, '../src/main.ts')
  const { NODE_OPTIONS: _, ...environment } = process.env
  // Servers that are away don't keep it from starting.
  const nowhere = {
    MONGODB_URI: 'mongodb://127.0.0.1:9/',
    NATS_URL: 'nats://127.0.0.1:9',
    HOST: '127.0.0.1',
    PORT: '0',
  }
  const shell = 'exec 5<"$0/secret" 63<"$0/secret" 200<"$0/secret" 201>>"$0/secret" 1500<"$0"; exec "$@"'
  service = spawn('bash', ['-c', shell, folder, process.execPath, main], {
    env: { ...environment, ...nowhere },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${log}`)))
    service.stdout!.on('data', (text: Buffer) => {
      log += text.toString()
      if (log.includes('listening')) resolve()
    })
  })
  service.removeAllListeners('exit')
  const openFiles = listDescendants(service.pid!).flatMap((pid) =>
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const path = linkOf(`/proc/${pid}/fd/${fd}`)
      return path.startsWith(folder) ? [`${pid} ${fd} ${path}`] : []
    }),
  )
  // The lowest ones are closed by Node in whatever it starts; the service itself may have them.
  expect(openFiles.filter((text) => !text.startsWith(`${service.pid} 5 `))).toEqual([])
})

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
