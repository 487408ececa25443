/**
 * Peers from PyPI: each runs with an interpreter of its own, outside the repository; made on first use where
 * pip may.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'stateeval')

/**
 * What the script wrote, which reads `input` as JSON from standard input; or the reason why there is nothing.
 */
export async function askPeer<T>(
  name: string,
  packages: readonly string[],
  script: string,
  input: unknown,
): Promise<T | string> {
  const folder = join(cache, name)
  const python = join(folder, 'bin/python')
  try {
    if (!existsSync(python)) {
      await run('python3', ['-m', 'venv', folder, '--system-site-packages'], { timeout: 120_000 })
      await run(python, ['-m', 'pip', 'install', '-q', ...packages], { timeout: 600_000 })
    }
    const work = run(python, [script], {
      timeout: 300_000,
      env: { PATH: process.env['PATH'], HOME: homedir() },
    })
    work.child.stdin!.end(JSON.stringify(input))
    return JSON.parse((await work).stdout) as T
  } catch (error) {
    return String((error as Error).message)
      .split('\n')
      .slice(0, 3)
      .join(' ')
      .slice(0, 300)
  }
}
