/** No process gets the open descriptors of the shell that starts a service: real shells, real jails. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { closeInherited, listInheritable } from './descriptors.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'descriptors-'))
  writeFileSync(join(folder, 'secret'), 'SECRET', { mode: 0o600 })
  writeFileSync(join(folder, 'target'), '', { mode: 0o600 })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Beside low numbers, with gaps and beyond a thousand. */
const shell =
  'exec 5<"$0/secret" 63<"$0/secret" 200<"$0/secret" 201>>"$0/target" 202<"$0" 1500<"$0/secret"; exec "$@"'
const { NODE_OPTIONS: _, ...env } = process.env
const underShell = (...command: string[]) =>
  promisify(execFile)('bash', ['-c', shell, folder, process.execPath, ...command], {
    env,
    maxBuffer: 1 << 24,
    timeout: 300_000,
  })

test('the shell of this test really passes them on', () => {
  const { stdout } = spawnSync('bash', ['-c', shell, folder, 'sh', '-c', 'ls /proc/self/fd'], {
    encoding: 'utf8',
    env,
  })
  for (const fd of [5, 63, 200, 201, 202, 1500]) expect(stdout.split('\n')).toContain(String(fd))
})

test('closeInherited leaves what Node itself has open, and nothing else', async () => {
  const module = join(import.meta.dirname, 'descriptors.ts')
  const code = `import { readdirSync, readlinkSync } from 'node:fs'
import { ${closeInherited.name}, ${listInheritable.name} } from ${JSON.stringify(module)}
const before = listInheritable()
closeInherited()
const paths = readdirSync('/proc/self/fd').map((fd) => { try { return readlinkSync('/proc/self/fd/' + fd) } catch { return '' } })
setTimeout(() => console.log(JSON.stringify([before.includes(200), listInheritable(), paths.filter((path) => path.startsWith(${JSON.stringify(folder)}) && !path.endsWith('/secret'))])), 20)`
  writeFileSync(join(folder, 'main.ts'), code)
  const { stdout } = await underShell(join(folder, 'main.ts'))
  expect(JSON.parse(stdout)).toEqual([true, [], []])
})
