/** Runs untrusted_check.py with an interpreter of its own, outside the repository; made on first use where pip may. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Load } from './load.ts'

export type EvalplusLoad = Load & { name: string; concurrency: number }
const run = promisify(execFile)
const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'stateeval/evalplus')
const python = join(folder, 'bin/python')

/** What it measured, or the reason why there is nothing. `times` is for each program and concurrency. */
export async function evalplus(
  programs: Record<string, string>,
  times: number,
  concurrency: readonly number[],
): Promise<{ version: string; parts: EvalplusLoad[] } | string> {
  try {
    if (!existsSync(python)) {
      await run('python3', ['-m', 'venv', folder, '--system-site-packages'], { timeout: 120_000 })
      await run(python, ['-m', 'pip', 'install', '-q', 'evalplus==0.3.1', 'requests'], { timeout: 600_000 })
    }
    const work = run(python, [join(import.meta.dirname, 'untrusted_check.py')], {
      timeout: 300_000,
      env: { PATH: process.env['PATH'], HOME: homedir() },
    })
    work.child.stdin!.end(JSON.stringify({ programs, times, concurrency }))
    return JSON.parse((await work).stdout) as { version: string; parts: EvalplusLoad[] }
  } catch (error) {
    return String((error as Error).message)
      .split('\n')
      .slice(0, 3)
      .join(' ')
      .slice(0, 300)
  }
}
