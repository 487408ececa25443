/**
 * Makes clients/go/evaluation/evaluation.gen.go, which is not tracked, by oapi-codegen from the contract.
 * Needs Go, and its module proxy the first time.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './generated.ts'

const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const folder = join(root, 'clients/go/evaluation')
const output = 'evaluation.gen.go'

/**
 * Runs oapi-codegen.
 * @param args its options, the contract last
 * @returns what it printed: empty where it has no warnings
 * @throws Error with its output where it fails
 */
export function oapiCodegen(args: string[], cwd: string): string {
  const run = spawnSync('go', ['run', generator, ...args], { cwd, encoding: 'utf8', timeout: 600_000 })
  if (run.status !== 0) throw new Error(`oapi-codegen: ${run.error?.message ?? run.stderr}`)
  // Go's own messages while it fetches the generator are no warnings.
  return run.stderr
    .split('\n')
    .filter((line) => !line.startsWith('go: '))
    .join('\n')
}

/**
 * Writes the generated half of the client.
 * @returns the warnings of the generator; empty without any
 */
export function writeGoClient(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'stateeval-go-'))
  try {
    for (const name of ['oapi-codegen.yaml', 'overlay.yaml']) cpSync(join(folder, name), join(scratch, name))
    const contract = join(root, 'openapi/evaluation.yaml')
    const warnings = oapiCodegen(['-config', 'oapi-codegen.yaml', contract], scratch)
    // Renamed into place: tests that run beside one another compile it.
    const draft = join(folder, `.${output}.${process.pid}`)
    cpSync(join(scratch, output), draft)
    renameSync(draft, join(folder, output))
    return warnings
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

if (import.meta.main) process.stderr.write(writeGoClient())
