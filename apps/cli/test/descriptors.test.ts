/** What the shell has open reaches no service that a command starts: a real shell, a real process. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'descriptors-'))
  writeFileSync(join(folder, 'secret'), 'SECRET', { mode: 0o600 })
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a process that stays gets none of the descriptors of the shell', async () => {
  const module = join(import.meta.dirname, '../src/local/process.ts')
  const started = { file: 'sleep', args: ['60'], env: process.env, cwd: '/', log: join(folder, 'log') }
  const code = `import { startDetached } from ${JSON.stringify(module)}\nconsole.log((await startDetached(${JSON.stringify(started)})).pid)`
  writeFileSync(join(folder, 'start.ts'), code)
  const { NODE_OPTIONS: _, ...env } = process.env
  const shell =
    'exec 5<"$0/secret" 200<"$0/secret" 201>>"$0/secret" 1500<"$0"; "$@"; readlink /proc/$$/fd/200'
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', shell, folder, process.execPath, join(folder, 'start.ts')],
    { env },
  )
  const [pid, target] = stdout.trim().split('\n')
  try {
    expect(target).toBe(join(folder, 'secret'))
    const paths = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
    expect(paths.filter((path) => path.startsWith(folder) && !path.endsWith('/log'))).toEqual([])
    expect(paths).toContain(join(folder, 'log'))
  } finally {
    process.kill(Number(pid), 'SIGKILL')
  }
})
