/** A command as a process of its own: its status, and what it printed. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { listOwners } from '@stateeval/testkit/end-with-owner'

interface Printed {
  stdout: string
  stderr: string
}

/** Runs a program to its end; `env` is added to PATH. The text of a failure ends with its stderr. */
export const runProgram = (
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; text: string }> =>
  promisify(execFile)(file, args, { env: { PATH: process.env['PATH'], ...listOwners(), ...env } }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }: Printed & { code: number }) => ({ code, text: stdout + stderr }),
  )
