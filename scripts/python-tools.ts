/** Tools from PyPI, in environments of their own that are made once and kept in the cache. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

type ToolsName =
  | 'agents'
  | 'clients'
  | 'environments'
  | 'data'
  | 'evalhub'
  | 'fuzz'
  | 'harness'
  | 'inspect'
  | 'nemo-gym'
  | 'pipelines'
  | 'records'
  | 'tracking'
  | 'verifiers'
  | 'wandb'
type PythonTools = { ok: true; bin: (name: string) => string } | { ok: false; reason: string }

/** Some tools need a newer Python than the system's own, which pyenv may have. */
const pyenv = join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions')
const newer = existsSync(pyenv)
  ? readdirSync(pyenv).flatMap((name) => (/^3\.1[2-9]/.test(name) ? [join(pyenv, name, 'bin/python3')] : []))
  : []
const candidates = ['python3', '/usr/bin/python3', 'python3.13', 'python3.12', ...newer]

/**
 * The environment with what scripts/<name>/requirements.txt lists; without pip or its index, the reason why
 * there is none.
 */
export function pythonTools(name: ToolsName): PythonTools {
  const requirements = join(import.meta.dirname, name, 'requirements.txt')
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12)
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'stateeval/python')
  const home = join(cache, `${name}-${digest}`)
  const tools: PythonTools = { ok: true, bin: (tool) => join(home, 'bin', tool) }
  if (existsSync(join(home, 'complete'))) return tools
  mkdirSync(cache, { recursive: true })
  let reason = 'there is no python3'
  for (const python of candidates) {
    // Scripts of an environment hold its path, so it is made in place; one that was cut short is made anew.
    rmSync(home, { recursive: true, force: true })
    const failure =
      run(python, ['-m', 'venv', home]) ??
      run(join(home, 'bin/pip'), ['install', '--quiet', '--requirement', requirements])
    if (failure === null) {
      mkdirSync(join(home, 'complete'))
      return tools
    }
    reason = `${python}: ${failure}`
  }
  rmSync(home, { recursive: true, force: true })
  return { ok: false, reason }
}

/** The same for tests that run with STATEEVAL_LONG only, as the tools are installed first. */
export const longPythonTools = (name: ToolsName): PythonTools =>
  process.env['STATEEVAL_LONG'] === '1'
    ? pythonTools(name)
    : { ok: false, reason: 'scripts/test --long does it' }

/** Null where it worked, else its last line. */
function run(command: string, args: string[]): string | null {
  const { error, status, stderr, stdout } = spawnSync(command, args, { encoding: 'utf8', timeout: 900_000 })
  if (status === 0) return null
  return error?.message ?? (`${stdout}\n${stderr}`.trim().split('\n').at(-1) || `ended with ${status}`)
}
