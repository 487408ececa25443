/**
 * The content of a jail: the pinned node binary with its libraries; the runner with axios as one bundle, with
 * V8's code caches of it; the filters of a process that forks. It is built once per machine and content, in a
 * cache folder that unprivileged users may read.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buildRunnerBundle, type RunnerBundle } from './bundle.ts'
import { buildAddition, buildFilter, childPolicy, forkerPolicy, getArchitecture } from '@stateeval/jail'
import { findCacheFolder } from '@stateeval/runtime'
import { readDiskCache } from './disk-cache.ts'

/**
 * Flags of a process that forks: no threads, which no child would have; compiled code stays; nothing is due
 * some time later, which every child would then do. Scripts are compiled whole, ours before the first fork.
 * Functions are optimised after ten times V8’s default number of calls: otherwise every child would optimise
 * functions that the rehearsals made nearly hot. Loops are optimised by V8’s defaults.
 */
export const forkArgs = [
  '--v8-pool-size=0',
  '--single-threaded',
  '--disable-sigusr1',
  '--no-flush-bytecode',
  '--no-memory-reducer',
  '--no-lazy',
  '--no-minor-gc-task',
  '--invocation-count-for-maglev=4000',
  '--invocation-count-for-turbofan=30000',
] as const

export interface NodeRuntime {
  node: string
  /** Shared libraries: where they are here, and the path that the loader looks for. */
  libraries: readonly { source: string; target: string }[]
  /** Calls of Linux for Node. */
  linux: string
  /** A folder with all that is ours in a jail: runner, boot file, caches, filters, and hosts. */
  runner: string
  versions: { node: string; axios: string }
}

/**
 * Prepares the folder, in about half a second the first time. Throws with a remedy if the machine lacks
 * something.
 */
export function prepareRuntime(node = process.execPath, cache = findCacheFolder()): NodeRuntime {
  const version =
    node === process.execPath
      ? process.version
      : execFileSync(node, ['--version'], { env: {}, encoding: 'utf8' }).trim()
  const fresh: RunnerBundle[] = []
  const who = hashParts([version, process.arch, import.meta.dirname])
  const { bundled, axios } = readDiskCache(join(cache, `runner-${who}.json`), () => {
    const bundle = buildRunnerBundle()
    fresh.push(bundle)
    const { boot, code, axios, inputs } = bundle
    const bundled = hashParts([version, process.arch, boot, code, ...forkArgs])
    return { value: { bundled, axios }, inputs: [...inputs, import.meta.filename] }
  })
  const key = hashParts([bundled, ...filterFiles().map(([, filter]) => Buffer.from(filter).toString('hex'))])
  const runner = join(cache, key)
  if (!existsSync(runner)) build(runner, node, fresh[0] ?? buildRunnerBundle())
  const linux = compileLinuxAddon()
  return {
    // From where they are, if that can be: the cache may be in a place from which nothing may be run.
    node: isReachable(node, 0o005) ? node : copyNode(node, join(cache, `node-${version}`)),
    linux: isReachable(linux, 0o004) ? linux : copyNode(linux, join(cache, `${key}.node`)),
    libraries: listLibraries(node),
    runner,
    versions: { node: version, axios },
  }
}

/** Filters of a process that forks, and what each of its children adds. */
const filterFiles = () =>
  [
    ['forker.bpf', buildFilter(getArchitecture(), forkerPolicy)],
    ['child.bpf', buildAddition(getArchitecture(), childPolicy, forkerPolicy)],
  ] as const

const hashParts = (parts: readonly string[]) =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16)

/** Built beside its place and moved there whole, so that two processes may build at once. */
function build(folder: string, node: string, { boot, code }: RunnerBundle) {
  const draft = `${folder}.${randomBytes(6).toString('hex')}`
  mkdirSync(draft, { mode: 0o755 })
  writeFileSync(join(draft, 'boot.cjs'), boot, { mode: 0o644 })
  writeFileSync(join(draft, 'runner.js'), code, { mode: 0o644 })
  for (const [name, filter] of filterFiles()) writeFileSync(join(draft, name), filter, { mode: 0o644 })
  writeFileSync(join(draft, 'hosts'), '127.0.0.1 localhost\n', { mode: 0o644 })
  // A first run makes the code cache: with the functions that a request compiles in it, later starts skip
  // compiling.
  for (const [file, flags] of [
    ['runner.cache', []],
    ['forks.cache', forkArgs],
  ] as const) {
    const { signal, stderr } = spawnSync(
      node,
      [...flags, join(draft, 'boot.cjs'), 'warm', join(draft, file)],
      {
        env: {},
        stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'ignore'],
        timeout: 180_000,
      },
    )
    if (signal !== 'SIGKILL' || !existsSync(join(draft, file)))
      throw new Error(`The code cache could not be made: ${String(stderr).slice(-1000)}`)
  }
  // Whatever the umask: jails read this as nobody.
  for (const name of readdirSync(draft)) chmodSync(join(draft, name), 0o644)
  chmodSync(draft, 0o755)
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** Calls of Linux for Node, built for this machine. */
function compileLinuxAddon(): string {
  const koffi = createRequire(createRequire(import.meta.url).resolve('koffi'))
  const isMusl =
    (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header
      .glibcVersionRuntime === undefined
  return join(
    dirname(koffi.resolve(`@koromix/koffi-linux-${process.arch}`)),
    `${isMusl ? 'musl' : 'linux'}_${process.arch}`,
    'koffi.node',
  )
}

/** Libraries that the binary loads, as the loader itself lists them. */
function listLibraries(node: string): NodeRuntime['libraries'] {
  const listing = execFileSync('ldd', [node], {
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    encoding: 'utf8',
  })
  const targets = [...listing.matchAll(/(?:=>[ \t]*|^[ \t]*)(\/\S+)/gm)].map((match) => match[1]!)
  return targets.map((target) => ({ target, source: realpathSync(target) }))
}

/**
 * Tells whether any user may use the file in this way: a jail starts as nobody, who may not access a home
 * folder.
 */
function isReachable(path: string, mode: number): boolean {
  if (process.getuid?.() !== 0) return true
  if ((statSync(path).mode & mode) !== mode) return false
  for (let folder = dirname(realpathSync(path)); folder !== dirname(folder); folder = dirname(folder))
    if ((statSync(folder).mode & 0o001) === 0) return false
  return true
}

function copyNode(node: string, target: string): string {
  if (!existsSync(target)) {
    const draft = `${target}.${randomBytes(6).toString('hex')}`
    copyFileSync(node, draft)
    chmodSync(draft, 0o755)
    renameSync(draft, target)
  }
  accessSync(target)
  return target
}
