/** The content of a jail that runs Python: the interpreter, its library and packages, and our runner. */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ExecutionLimits } from '@stateeval/contracts'
import {
  buildAddition,
  buildFilter,
  childPolicy,
  forkerPolicy,
  type JailImage,
  getArchitecture,
  type JailCapabilities,
} from '@stateeval/jail'
import { describePython, type PythonInterpreter, pythonCommand, pythonRoot } from './interpreter.ts'
import { findGraphicsDevices } from './graphics.ts'
import { findObstacle } from './obstacle.ts'

export interface PythonRuntime extends PythonInterpreter {
  /** A folder with the runner, filters for it and its children, hosts and an empty folder. */
  runner: string
  /** Packages that are installed and that jails can’t have, with the reason. */
  unusable?: Readonly<Record<string, string>>
}

/** `-S`: what packages do at every start of Python has no place here, nor has a user’s own folder. */
const flags = ['-S', '-s', '-B'] as const

/**
 * Prepares the folder inside `cache`, which must belong to this user, for an interpreter that can be
 * described.
 */
export function preparePythonRuntime(
  cache: string,
  python: string,
  { jailed }: Pick<JailCapabilities, 'jailed'>,
): PythonRuntime {
  const interpreter = describePython(python, cache)
  const sources = join(import.meta.dirname, 'runner')
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.py'))
    .sort()
  const files = new Map<string, string | Uint8Array>([
    ...names.map((name): [string, string] => [name, readFileSync(join(sources, name), 'utf8')]),
    ['hosts', '127.0.0.1 localhost\n'],
    ['forker.bpf', buildFilter(getArchitecture(), forkerPolicy)],
    ['child.bpf', buildAddition(getArchitecture(), childPolicy, forkerPolicy)],
  ])
  const hash = createHash('sha256').update(interpreter.versions['python']!)
  for (const [name, content] of files) hash.update(`\0${name}\0`).update(content)
  const runner = join(cache, `python-${hash.digest('hex').slice(0, 16)}`)
  if (!existsSync(runner)) build(runner, interpreter.executable, files)
  const unusable = jailed && 'torch' in interpreter.versions ? findObstacle(interpreter.torch) : undefined
  if (unusable === undefined) return { ...interpreter, runner }
  const { torch: _, 'torch.cuda': __, ...versions } = interpreter.versions
  return {
    ...interpreter,
    versions,
    torch: [],
    runner,
    unusable: { torch: unusable },
  }
}

/**
 * Built beside its place and moved there whole, so that two processes may build at once. Jails read it as
 * nobody.
 */
function build(folder: string, python: string, files: ReadonlyMap<string, string | Uint8Array>) {
  const draft = `${folder}.${randomBytes(6).toString('hex')}`
  for (const path of [draft, join(draft, 'empty'), join(draft, 'stateeval_runner')]) {
    mkdirSync(path)
    chmodSync(path, 0o755)
  }
  for (const [name, content] of files) {
    writeFileSync(join(draft, name), content)
    chmodSync(join(draft, name), 0o644)
  }
  // Compiled once, not at each start.
  execFileSync(
    python,
    [
      '-s',
      '-m',
      'compileall',
      '-q',
      '--invalidation-mode',
      'unchecked-hash',
      join(draft, 'stateeval_runner'),
    ],
    {
      cwd: '/',
    },
  )
  const compiled = join(draft, 'stateeval_runner', '__pycache__')
  chmodSync(compiled, 0o755)
  for (const name of readdirSync(compiled)) chmodSync(join(compiled, name), 0o644)
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

interface PythonImageOptions {
  /** The port that the runner opens; see command.ts. */
  port: string
  /** Modules that every candidate finds loaded. */
  preload: readonly string[]
  /** The limits of a jail’s only program, which may start processes; undefined for a jail of children. */
  alone: Pick<ExecutionLimits, 'memoryMiB' | 'cpuSeconds'> | undefined
  /** In a container behind a kernel of its own. */
  contained?: boolean
}

export function createPythonImage(
  runtime: PythonRuntime,
  { port: given, preload, alone, contained = false }: PythonImageOptions,
): JailImage {
  const { runner, library, sites, sitesInJail, binds, torch, executable } = runtime
  // A container has its own kernel, which knows no such devices.
  const gpu = preload.includes('torch.cuda') && !contained ? findGraphicsDevices() : undefined
  // In a container our own first process stands before the program, with connections to carry or without.
  const port = contained && given === 'none' ? 'none:none' : given
  const limits = alone && ['--memory', String(alone.memoryMiB), '--seconds', String(alone.cpuSeconds)]
  const argsFor = (sites: readonly string[]) => [
    port,
    '--preload',
    preload.join(),
    ...sites.flatMap((site) => ['--site', site]),
    ...(limits ?? ['--filters', '/runner']),
  ]
  const inJail = join(
    pythonRoot,
    binds.find(({ source }) => source === library)!.target.slice(pythonRoot.length),
  )
  return {
    binds: [
      ...binds,
      ...(preload.includes('torch') ? torch : []),
      // Candidates do not see packages installed beside the standard library.
      ...['site-packages', 'dist-packages']
        .filter((name) => existsSync(join(library, name)))
        .map((name) => ({
          source: join(runner, 'empty'),
          target: join(inJail, name),
        })),
      ...(gpu?.libraries ?? []),
      { source: runner, target: '/runner' },
      { source: join(runner, 'hosts'), target: '/etc/hosts' },
    ],
    command: [pythonCommand, ...flags, '/runner/boot.py', ...argsFor(sitesInJail)],
    second: alone !== undefined && !contained,
    forks: alone === undefined,
    bare: [executable, ...flags, join(runner, 'boot.py'), ...argsFor(sites)],
    env: preload.includes('torch') ? environment : { ...environment, LD_BIND_NOW: '1' },
    ...(gpu && { env: { ...environment, ...gpu.env }, devices: gpu.devices }),
  }
}

/** Symbols are bound at the start where there are few: a child that binds one writes to a page. */
const environment = {
  // The same order of sets and the same sums in every run.
  PYTHONHASHSEED: '0',
  OMP_NUM_THREADS: '1',
  OPENBLAS_NUM_THREADS: '1',
  MKL_NUM_THREADS: '1',
  // Heaps for each thread would use up address space.
  MALLOC_ARENA_MAX: '1',
}
