/** PyTorch beside the tests: one process that runs emitted Python, where this machine has it. */
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ExecutionInput } from '@stateeval/contracts'

const python = process.env['STATEEVAL_PYTHON'] ?? '/usr/bin/python3'

/** The version of PyTorch, or why there is none. */
export function torchVersion(): { version: string } | { missing: string } {
  try {
    const output = execFileSync(python, ['-c', 'import torch; print(torch.__version__)'], {
      encoding: 'utf8',
      timeout: 300_000,
      stdio: 'pipe',
    })
    return { version: output.trim() }
  } catch (error) {
    const { code, stderr = '' } = error as { code?: string; stderr?: string }
    if (code !== 'ENOENT' && !stderr.includes('ModuleNotFoundError')) throw error
    return {
      missing: `${python} has no torch (apt-get install python3-torch, or name one that has it in STATEEVAL_PYTHON)`,
    }
  }
}

type Ran = { result: unknown } | { error: string }
export interface PyTorch {
  run(code: string, inputs: readonly ExecutionInput[]): Promise<Ran[]>
  close(): void
}

export function startPyTorch(): PyTorch {
  const child = spawn(python, ['-s', '-B', join(import.meta.dirname, 'batch.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async run(code, inputs) {
      child.stdin.write(`${JSON.stringify({ code, inputs: inputs.map(({ variables }) => variables) })}\n`)
      const line = await lines.next()
      if (line.done) throw new Error('the process ended before it answered')
      return JSON.parse(line.value) as Ran[]
    },
    close: () => void child.kill(),
  }
}
