/**
 * Peer: one fresh `node` or `python3` process for each program, the code on its standard input; no jail, no
 * limits.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Language } from '@stateeval/contracts'
import { examineSandboxMachine } from '../../packages/sandbox/src/examine.ts'

const cwd = join(import.meta.dirname, '../..')
/** The interpreters that the sandbox has, too. */
const { interpreters, unavailable } = await examineSandboxMachine()
const commands: Readonly<Partial<Record<Language, string>>> = {
  javascript: process.execPath,
  ...(unavailable.python === undefined && { python: interpreters.at(-1)!.path }),
}

/** Rejects where the program fails: such a time would say nothing. */
export function runFresh(language: Language, text: string): Promise<void> {
  const command = commands[language]
  if (command === undefined) throw new Error(unavailable[language])
  return new Promise((resolve, reject) => {
    const child = spawn(command, ['-'], {
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
