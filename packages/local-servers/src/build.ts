/**
 * The embedded servers' binary: found in the cache, else built once. The cache is outside the repository and
 * keyed by the sources, so every checkout with the same sources shares one build.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, appendFile, constants, copyFile, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyChangedFerretdb, changesText, ferretdb } from './ferretdb.ts'
import { tags } from './ferretdb/left-out.ts'
import { withLock } from './lock.ts'

/** All that a build depends on besides Go itself, and our changes to FerretDB. */
export const sources = [
  'main.go',
  'stderr.go',
  'repair/databases.go',
  'repair/collections.go',
  'repair/streams.go',
  'go.mod',
  'go.sum',
] as const
const serverFolder = join(import.meta.dirname, '../server')
const oldestGo = [1, 26] as const

interface BuildOptions {
  env?: NodeJS.ProcessEnv
  /** The folder of the Go files. Default: this package's. */
  folder?: string
  /** Told what takes long, in one line each. */
  progress?: (text: string) => void
}

/** Something the user must do first; the message says what. */
export class BuildError extends Error {}

/**
 * The user's folder for caches.
 * @throws BuildError for a user without a home folder, such as one that has no entry in passwd
 */
export function findUserCache(env: NodeJS.ProcessEnv): string {
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME
  try {
    return join(env.HOME || homedir(), '.cache')
  } catch {
    throw new BuildError(
      'HOME is not set, and this user has no home folder: set HOME, or XDG_CACHE_HOME, to a folder that can be written',
    )
  }
}

/**
 * Finds the place of these sources' binary: under XDG_CACHE_HOME or ~/.cache, by the hash of the Go files.
 */
export async function findCachedBinary({
  env = process.env,
  folder = serverFolder,
}: BuildOptions = {}): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  for (const name of sources) hash.update(`${name}\n`).update(await readFile(join(folder, name)))
  hash.update(changesText)
  return join(findUserCache(env), 'stateeval', `local-${hash.digest('hex').slice(0, 16)}`, 'stateeval-local')
}

/**
 * The path of a binary that can be started: STATEEVAL_LOCAL_BINARY, else the cached one, else a new build.
 * @throws BuildError where Go is missing or the build fails
 */
export async function resolveLocalBinary(options: BuildOptions = {}): Promise<string> {
  const { env = process.env, folder = serverFolder, progress = () => {} } = options
  if (env.STATEEVAL_LOCAL_BINARY) {
    if (await isExecutable(env.STATEEVAL_LOCAL_BINARY)) return env.STATEEVAL_LOCAL_BINARY
    throw new BuildError(
      `STATEEVAL_LOCAL_BINARY names ${env.STATEEVAL_LOCAL_BINARY}, which is not an executable file: correct or unset it`,
    )
  }
  const binary = await findCachedBinary({ env, folder })
  if (await isExecutable(binary)) return binary
  const cache = join(binary, '..')
  await mkdir(cache, { recursive: true })
    .then(() => access(cache, constants.W_OK))
    .catch(({ code }: NodeJS.ErrnoException) => {
      throw new BuildError(
        `${cache} cannot be written (${code}): set HOME, or XDG_CACHE_HOME, to a folder that can be`,
      )
    })
  // Two builders at once are harmless (the rename is atomic) but slow, so the second waits for the first.
  return withLock(
    `${binary}.lock`,
    () => progress('Waiting for another process that builds the embedded servers'),
    async () => {
      if (await isExecutable(binary)) return binary
      const go = await findGo(env)
      const startedAt = Date.now()
      progress(
        'Building the embedded servers (once; two minutes on two cores, longer if modules must be downloaded)',
      )
      const temporary = `${binary}.${process.pid}`
      try {
        await build(go, folder, temporary, env)
        await rename(temporary, binary)
      } finally {
        for (const name of [temporary, `${temporary}.mod`, `${temporary}.sum`, `${temporary}.ferretdb`])
          await rm(name, { recursive: true, force: true })
      }
      progress(`Built the embedded servers in ${Math.round((Date.now() - startedAt) / 1000)} s`)
      return binary
    },
  )
}

const isExecutable = async (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    async () => (await stat(path)).isFile(),
    () => false,
  )

async function findGo(env: NodeJS.ProcessEnv): Promise<string> {
  const remedy =
    "install it (https://go.dev/dl, or as root on Debian: apt-get install -y golang-go), or set MONGODB_URI and NATS_URL to your own servers, or use 'docker compose up'"
  for (const go of ['go', '/usr/local/go/bin/go']) {
    const version = await promisify(execFile)(go, ['env', 'GOVERSION'], { env }).then(
      ({ stdout }) => /^go(\d+)\.(\d+)/.exec(stdout.trim()),
      () => null,
    )
    if (!version) continue
    const [major, minor] = [Number(version[1]), Number(version[2])]
    // From 1.21 on, Go fetches the toolchain that go.mod names by itself.
    if (major > oldestGo[0] || minor >= 21) return go
    throw new BuildError(
      `The embedded servers need Go ${oldestGo.join('.')} and this is ${version[0]}: ${remedy}`,
    )
  }
  throw new BuildError(
    `Neither MongoDB and NATS nor Go (which builds the embedded servers) were found: ${remedy}`,
  )
}

/** Builds with the same flags share compiled packages. */
export const buildFlags = ['-buildvcs=false', '-trimpath', '-ldflags', '-s -w', '-tags', tags] as const

/** With our FerretDB in the place of the one that go.mod names. */
async function build(go: string, folder: string, output: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [module, sums, changedSource] = [`${output}.mod`, `${output}.sum`, `${output}.ferretdb`]
  await copyFile(join(folder, 'go.mod'), module)
  await copyFile(join(folder, 'go.sum'), sums)
  const download = JSON.parse(await run(go, ['mod', 'download', '-json', ferretdb], folder, env)) as {
    Dir: string
  }
  await copyChangedFerretdb(download.Dir, changedSource)
  await appendFile(module, `\nreplace ${ferretdb} => ${changedSource}\n`)
  const flags = ['-mod=readonly', `-modfile=${module}`, ...buildFlags]
  await run(go, ['build', ...flags, '-o', output, '.'], folder, env)
}

const listGoCaches = (env: NodeJS.ProcessEnv) => ({
  GOCACHE: join(findUserCache(env), 'go-build'),
  GOPATH: join(findUserCache(env), 'go'),
})

/** Go's own settings (proxy, module cache) come from the environment; GOFLAGS may not bend the build. */
async function run(go: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(go, args, {
    cwd,
    // Without a home folder, Go asks where its caches are.
    env: { ...(env.HOME ? {} : listGoCaches(env)), ...env, GOFLAGS: '', CGO_ENABLED: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2_000)))
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0)
    throw new BuildError(
      `go ${args[0]} of the embedded servers failed. The end of its output:\n${errors.trim()}`,
    )
  return output
}

// `node build.ts` prints the binary's path and builds it if needed; `--cached` only says by the exit code
// whether it is there.
if (import.meta.main) {
  try {
    const cached = process.env.STATEEVAL_LOCAL_BINARY || (await findCachedBinary())
    if (!process.argv.includes('--cached'))
      console.log(await resolveLocalBinary({ progress: (text) => console.error(text) }))
    else process.exitCode = (await isExecutable(cached)) ? 0 : 1
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    console.error(`${error.message}.`)
    process.exitCode = 2
  }
}
