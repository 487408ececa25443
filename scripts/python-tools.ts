/** Tools from PyPI. Each set has a virtual environment, which is made once and kept in the cache. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

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

/** Installing a set of tools takes no longer than this. */
const installMs = 900_000

/** Some tools need a newer Python than the system's, which pyenv may have. */
const pyenv = join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions')
const newer = existsSync(pyenv)
  ? readdirSync(pyenv).flatMap((name) => (/^3\.1[2-9]/.test(name) ? [join(pyenv, name, 'bin/python3')] : []))
  : []
const candidates = ['python3', '/usr/bin/python3', 'python3.13', 'python3.12', ...newer]

/**
 * Returns the environment with the packages in scripts/<name>/requirements.txt, or the reason why it
 * cannot be made. The first call installs it.
 */
export function pythonTools(name: ToolsName): PythonTools {
  const home = homeOf(name)
  const tools: PythonTools = { ok: true, bin: (tool) => join(home, 'bin', tool) }
  if (isComplete(home)) return tools
  mkdirSync(dirname(home), { recursive: true })
  // Jest's workers may want the same environment at once. The kernel releases the lock of a killed process.
  const script = [process.execPath, import.meta.filename, name]
  const reason = run('flock', [`${home}.lock`, ...script], 2 * installMs)
  return reason === null ? tools : { ok: false, reason }
}

const requirementsOf = (name: string) => join(import.meta.dirname, name, 'requirements.txt')
const isComplete = (home: string) => existsSync(join(home, 'complete'))

/** The environment's folder. Its name changes with the requirements. */
function homeOf(name: string): string {
  const digest = createHash('sha256')
    .update(readFileSync(requirementsOf(name)))
    .digest('hex')
    .slice(0, 12)
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'stateeval/python')
  return join(cache, `${name}-${digest}`)
}

/** Makes the environment with the first Python that can. Returns null, or the reason why none can. */
function install(name: string): string | null {
  const home = homeOf(name)
  if (isComplete(home)) return null
  let reason = 'there is no python3'
  for (const python of candidates) {
    // Scripts of an environment contain its path, so it is made in place. Remains of a cut-off try go first.
    rmSync(home, { recursive: true, force: true })
    const failure =
      run(python, ['-m', 'venv', home]) ??
      run(join(home, 'bin/pip'), ['install', '--quiet', '--requirement', requirementsOf(name)])
    if (failure === null) {
      mkdirSync(join(home, 'complete'))
      return null
    }
    reason = `${python}: ${failure}`
  }
  rmSync(home, { recursive: true, force: true })
  return reason
}

/** The same for tests that run only with STATEEVAL_LONG, because installing the tools takes long. */
export const longPythonTools = (name: ToolsName): PythonTools =>
  process.env['STATEEVAL_LONG'] === '1'
    ? pythonTools(name)
    : { ok: false, reason: 'scripts/test --long does it' }

/** Runs a program. Returns null if it succeeded, otherwise its last line. */
function run(command: string, args: string[], timeout = installMs): string | null {
  const { error, status, stderr, stdout } = spawnSync(command, args, { encoding: 'utf8', timeout })
  if (status === 0) return null
  return error?.message ?? (`${stdout}\n${stderr}`.trim().split('\n').at(-1) || `ended with ${status}`)
}

if (import.meta.main) {
  const reason = install(process.argv[2]!)
  if (reason !== null) {
    console.error(reason)
    process.exitCode = 1
  }
}
