/** What the shell has open that starts a service reaches nobody: real shells, real jails. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { findMissingContainers } from '@stateeval/jail'

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

test('no program finds a file that was open where the service was started, nor does any process of a jail hold it', async () => {
  const levels = ['warm-jail', 'process-jail', ...(findMissingContainers() === undefined ? ['gvisor'] : [])]
  const { stdout } = await underShell(join(import.meta.dirname, 'inherited.ts'), folder, ...levels)
  const reports = JSON.parse(stdout.trim().split('\n').at(-1)!) as { level: string; language: string }[]
  expect(new Set(reports.map(({ level }) => level))).toEqual(new Set(levels))
  for (const { level, language, ...rest } of reports)
    expect({ level, language, ...rest }).toEqual({
      level,
      language,
      ending: { status: 'completed', result: [] },
      held: [],
    })
  expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('')
})
