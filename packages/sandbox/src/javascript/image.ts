/**
 * The content of a jail: the pinned node binary with its libraries; the runner with axios as one bundle,
 * with V8's code cache of it; the warm runner with the snapshot of its isolates. It is built once per
 * machine and content, in a cache folder that unprivileged users may read.
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
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundleRunner, type RunnerBundle } from './bundle.ts'
import { bundleWarm, isolatesAddon, rehearsal, snapshotKinds, type WarmBundle } from './isolate/bundle.ts'
import { assembleAddition, assembleFilter, childPolicy, forkerPolicy, thisArch } from '@stateeval/jail'
import { cacheFolder } from '../cache-folder.ts'
import { cachedOnDisk } from '../disk-cache.ts'

/**
 * Isolates made from snapshots need a Node that wasn’t. Baseline code is made anew in every isolate and
 * hardly used: without it a captured request takes 3.1 ms of CPU time in place of 4.9; the optimising
 * compilers stay for code that computes. Hashes of names stay as they are in the snapshot, which this very
 * node has made: to make them anew took 1 ms of each isolate. A program that knows them can slow itself
 * alone.
 */
export const warmArgs = ['--no-node-snapshot', '--no-sparkplug', '--no-rehash-snapshot'] as const

/**
 * Flags of a process that forks: no threads, which no child would have; compiled code stays; nothing is due
 * some time later, which every child would then do. Scripts are compiled whole, ours before the first fork.
 */
export const forkArgs = [
  '--v8-pool-size=0',
  '--single-threaded',
  '--disable-sigusr1',
  '--no-flush-bytecode',
  '--no-memory-reducer',
  '--no-lazy',
] as const

export interface Runtime {
  node: string
  /** Shared libraries: where they are here, and the path that the loader looks for. */
  libraries: readonly { source: string; target: string }[]
  /** V8 isolates for Node. */
  addon: string
  /** Calls of Linux for Node. */
  linux: string
  /** A folder with all that is ours in a jail: runner and warm runner, each with its boot file, and hosts. */
  runner: string
  versions: { node: string; axios: string }
}

interface Bundles {
  runner: RunnerBundle
  warm: WarmBundle
}
const bundles = (): Bundles => ({ runner: bundleRunner(), warm: bundleWarm() })

/**
 * Prepares the folder, in about half a second the first time. Throws with a remedy if the machine lacks
 * something.
 */
export function prepareRuntime(node = process.execPath, cache = cacheFolder()): Runtime {
  const version =
    node === process.execPath
      ? process.version
      : execFileSync(node, ['--version'], { env: {}, encoding: 'utf8' }).trim()
  const freshBundles: Bundles[] = []
  const who = hashed([version, process.arch, import.meta.dirname])
  const { key, axios } = cachedOnDisk(join(cache, `runner-${who}.json`), () => {
    const { runner, warm } = bundles()
    freshBundles.push({ runner, warm })
    const { boot, code, axios } = runner
    const key = hashed([
      version,
      process.arch,
      boot,
      code,
      ...snapshotKinds.flatMap((kind) => [warm.inside[kind], rehearsal(kind)]),
      warm.main,
      warm.boot,
      ...warmArgs,
    ])
    return {
      value: { key, axios },
      inputs: [...runner.inputs, ...warm.inputs, import.meta.filename],
    }
  })
  const runner = join(cache, key)
  const addon = isolatesAddon()
  const linux = linuxAddon()
  if (!existsSync(runner)) build(runner, node, freshBundles[0] ?? bundles(), addon)
  const source = reachable(node, 0o005) ? node : copied(node, join(cache, `node-${version}`))
  // From where it is, if it can be: the cache may be in a place from which nothing may be run.
  const readable = reachable(addon, 0o004) ? addon : copied(addon, join(cache, `${key}.node`))
  return {
    node: source,
    addon: readable,
    linux: reachable(linux, 0o004) ? linux : copied(linux, join(cache, `${key}.linux.node`)),
    libraries: libraries(node),
    runner,
    versions: { node: version, axios },
  }
}

const hashed = (parts: readonly string[]) =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16)

/** Built beside its place and moved there whole, so that two processes may build at once. */
function build(folder: string, node: string, { runner: { boot, code }, warm }: Bundles, addon: string) {
  const draft = `${folder}.${randomBytes(6).toString('hex')}`
  mkdirSync(draft, { mode: 0o755 })
  writeFileSync(join(draft, 'boot.cjs'), boot, { mode: 0o644 })
  writeFileSync(join(draft, 'runner.js'), code, { mode: 0o644 })
  writeFileSync(join(draft, 'forker.bpf'), assembleFilter(thisArch(), forkerPolicy), { mode: 0o644 })
  writeFileSync(join(draft, 'child.bpf'), assembleAddition(thisArch(), childPolicy, forkerPolicy), {
    mode: 0o644,
  })
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
        timeout: 60_000,
      },
    )
    if (signal !== 'SIGKILL' || !existsSync(join(draft, file)))
      throw new Error(`The code cache could not be made: ${String(stderr).slice(-1000)}`)
  }
  buildWarm(draft, node, warm, addon)
  // Whatever the umask: jails read this as nobody.
  for (const name of readdirSync(draft)) chmodSync(join(draft, name), 0o644)
  chmodSync(draft, 0o755)
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** What every isolate starts with is in the snapshot, with the functions compiled that a rehearsal used. */
function buildWarm(draft: string, node: string, { inside, main, boot }: WarmBundle, addon: string) {
  const path = (name: string) => join(draft, name)
  writeFileSync(path('warm.cjs'), boot)
  writeFileSync(path('warm.js'), main)
  for (const kind of snapshotKinds) {
    writeFileSync(path('inside.js'), inside[kind])
    writeFileSync(path('rehearsal.js'), rehearsal(kind))
    const args = [
      ...warmArgs,
      path('warm.cjs'),
      'snapshot',
      addon,
      path(`${kind}.snapshot`),
      path('inside.js'),
      path('rehearsal.js'),
    ]
    execFileSync(node, args, {
      env: {},
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 60_000,
    })
  }
  for (const name of ['inside.js', 'rehearsal.js']) rmSync(path(name))
}

/** Calls of Linux for Node, built for this machine. */
function linuxAddon(): string {
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
function libraries(node: string): Runtime['libraries'] {
  const listing = execFileSync('ldd', [node], {
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    encoding: 'utf8',
  })
  const targets = [...listing.matchAll(/(?:=>[ \t]*|^[ \t]*)(\/\S+)/gm)].map((match) => match[1]!)
  return targets.map((target) => ({ target, source: realpathSync(target) }))
}

/**
 * Whether any user may use the file in this way: a jail starts as nobody, who may not look into a home
 * folder.
 */
function reachable(path: string, mode: number): boolean {
  if (process.getuid?.() !== 0) return true
  if ((statSync(path).mode & mode) !== mode) return false
  for (let folder = dirname(realpathSync(path)); folder !== dirname(folder); folder = dirname(folder))
    if ((statSync(folder).mode & 0o001) === 0) return false
  return true
}

function copied(node: string, target: string): string {
  if (!existsSync(target)) {
    const draft = `${target}.${randomBytes(6).toString('hex')}`
    copyFileSync(node, draft)
    chmodSync(draft, 0o755)
    renameSync(draft, target)
  }
  accessSync(target)
  return target
}
