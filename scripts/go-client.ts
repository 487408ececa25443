/**
 * Writes clients/go/evaluation/evaluation.gen.go by oapi-codegen from the contract. --check fails where the
 * file is not what it should be. Needs Go, and its module proxy the first time.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, writeOrCheck } from './generated.ts'

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
  // What Go itself says while it fetches the generator is no warning.
  return run.stderr
    .split('\n')
    .filter((line) => !line.startsWith('go: '))
    .join('\n')
}

/** The text of the client as it should be. */
export function goClient(): { file: string; text: string; warnings: string } {
  const scratch = mkdtempSync(join(tmpdir(), 'stateeval-go-'))
  try {
    for (const name of ['oapi-codegen.yaml', 'overlay.yaml']) cpSync(join(folder, name), join(scratch, name))
    const contract = join(root, 'openapi/bundled/evaluation.yaml')
    const warnings = oapiCodegen(['-config', 'oapi-codegen.yaml', contract], scratch)
    return { file: join(folder, output), text: readFileSync(join(scratch, output), 'utf8'), warnings }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { file, text, warnings } = goClient()
  process.stderr.write(warnings)
  writeOrCheck({ [file]: text }, { check: process.argv.includes('--check'), remedy: 'npm run clients' })
}
