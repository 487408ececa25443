/**
 * Peer: one fresh `node` or `python3` process for each program, the code on its standard input; no jail, no
 * limits.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Language } from '@stateeval/contracts'
import { examineMachine } from '../../packages/sandbox/src/examine.ts'

const cwd = join(import.meta.dirname, '../..')
/** The interpreters that the sandbox has, too. */
const { interpreters, unavailable } = await examineMachine()
if (unavailable.python !== undefined) throw new Error(unavailable.python)
const commands: Record<Language, string> = { javascript: process.execPath, python: interpreters.at(-1)!.path }

/** Rejects where the program fails: such a time would say nothing. */
export function runFresh(language: Language, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(commands[language], ['-'], {
      cwd,
      env: { PATH: process.env['PATH'] },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let errorText = ''
    child.stderr.on('data', (chunk: Buffer) => (errorText += chunk.toString()))
    child
      .on('error', reject)
      .on('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`a fresh process failed: ${errorText}`)),
      )
    child.stdin.end(text)
  })
}
