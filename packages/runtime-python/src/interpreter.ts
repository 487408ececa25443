/**
 * The Python interpreter of candidates, and its files in a jail. It is examined once, and again after
 * installations.
 */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'

export interface InterpreterBind {
  source: string
  target: string
}

export interface PythonInterpreter {
  executable: string
  /** Path of its library; `sites` are the folders in which it looks for packages. */
  library: string
  sites: readonly string[]
  /** The same folders in a jail. */
  sitesInJail: readonly string[]
  /** Folders where packages may be installed, also those that aren’t there yet. */
  searched: readonly string[]
  versions: Readonly<Record<string, string>>
  /** The interpreter itself, requests and numpy. */
  binds: readonly InterpreterBind[]
  /**
   * Further files that torch needs: hundreds of libraries in some distributions, so only jails that preload
   * torch have them.
   */
  torch: readonly InterpreterBind[]
}

interface InterpreterDescription {
  executable: string
  prefix: string
  library: string
  version: string
  versions: Record<string, string>
  /** Paths by what brought them in: requests, numpy, torch. */
  packages: Record<string, string[]>
  /** Packages that are there and cannot be loaded. */
  broken: string[]
  searched: string[]
  authorities: string | null
}

/** The interpreter's path in a jail. */
export const pythonRoot = '/python'
export const pythonCommand = `${pythonRoot}/bin/python3`

/**
 * Why the interpreter cannot be described: it cannot be started, is too old, or has no requests. undefined
 * if it can.
 */
export function findMissingDescription(python: string, cache: string): string | undefined {
  if (!existsSync(python)) return 'there is no such file'
  if (isKnown(python, cache)) return undefined
  const ask =
    'import sys, importlib.util as u; sys.exit(3 if sys.version_info < (3, 9) else 0 if u.find_spec("requests") is not None else 4)'
  try {
    execFileSync(python, ['-s', '-B', '-c', ask], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: 180_000,
      cwd: '/',
    })
    return undefined
  } catch (error) {
    const { status, stderr, message } = error as Error & { status?: number | null; stderr?: string }
    if (status === 3) return 'it is older than Python 3.9'
    if (status === 4) return 'it has no requests'
    return `it does not start: ${(stderr?.trim().split('\n').at(-1) || message).slice(0, 300)}`
  }
}

const script = join(import.meta.dirname, 'describe.py')

/** Gets the path of the file that stores its description. */
function getDescriptionFile(python: string, cache: string): string {
  const path = realpathSync(python)
  const key = createHash('sha256')
    .update(
      [
        python,
        path,
        statSync(path).mtimeMs,
        readFileSync(script, 'utf8'),
        readFileSync(import.meta.filename, 'utf8'),
      ].join('\0'),
    )
    .digest('hex')
  return join(cache, `python-${key.slice(0, 16)}.json`)
}

function isKnown(python: string, cache: string): boolean {
  if (!existsSync(python)) return false
  const { python: version = '', requests } = readRemembered(getDescriptionFile(python, cache))?.versions ?? {}
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return requests !== undefined && major === 3 && minor >= 9
}

/** Its requirements. `cache` is a folder of this user. */
export function describePython(python: string, cache: string): PythonInterpreter {
  const file = getDescriptionFile(python, cache)
  const cachedInterpreter = readRemembered(file)
  if (cachedInterpreter) return cachedInterpreter
  const text = execFileSync(python, ['-s', '-B', script], {
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 1 << 24,
    cwd: '/',
  })
  const description = JSON.parse(text) as InterpreterDescription
  const interpreter = completeInterpreter(description)
  // A missing package may be installed, and a broken one completed, in ways that no modification time shows.
  if (!('requests' in interpreter.versions) || description.broken.length > 0) return interpreter
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, JSON.stringify({ interpreter, times: listModificationTimes(interpreter) }), {
    mode: 0o644,
  })
  renameSync(draft, file)
  return interpreter
}

/** Reads an earlier description, unless a package has come or gone since. */
function readRemembered(file: string): PythonInterpreter | undefined {
  try {
    const { interpreter, times: cachedTimes } = JSON.parse(readFileSync(file, 'utf8')) as {
      interpreter: PythonInterpreter
      times: string
    }
    return cachedTimes === listModificationTimes(interpreter) ? interpreter : undefined
  } catch {
    return undefined
  }
}

const listModificationTimes = ({ library, sites, searched, binds, torch }: PythonInterpreter) =>
  [
    ...[library, ...sites, ...[...binds, ...torch].map(({ source }) => source)].map(
      (path) => statSync(path).mtimeMs,
    ),
    ...searched.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 'none'),
  ].join()

function completeInterpreter({
  executable,
  prefix,
  library,
  version,
  versions,
  packages,
  searched,
  authorities,
}: InterpreterDescription): PythonInterpreter {
  const { torch = [], ...others } = packages
  const base = Object.values(others).flat()
  const all = [...base, ...torch]
  const isIncluded = (path: string) => all.some((part) => path === part || path.startsWith(`${part}/`))
  const sites = [...new Set(all.map(dirname))]
  // A jail does not show where packages are on the host.
  const sitesInJail = sites.map((_, n) => join(pythonRoot, n === 0 ? 'packages' : `packages-${n + 1}`))
  const inJail = (path: string) => join(sitesInJail[sites.indexOf(dirname(path))]!, basename(path))
  const zones = '/usr/share/zoneinfo'
  const binds = [
    { source: executable, target: pythonCommand },
    { source: library, target: join(pythonRoot, relative(prefix, library)) },
    ...listBinds(base, [executable, ...list(join(library, 'lib-dynload'))], isIncluded, inJail),
    ...[authorities, zones].flatMap((path) =>
      path !== null && existsSync(path) && !isIncluded(path)
        ? [{ source: realpathSync(path), target: path }]
        : [],
    ),
  ]
  const targets = new Set(binds.map(({ target }) => target))
  return {
    executable,
    library,
    sites,
    sitesInJail,
    searched,
    versions: { python: version, ...versions },
    binds: uniteBinds(binds),
    torch: uniteBinds(listBinds(torch, [], isIncluded, inJail)).filter(({ target }) => !targets.has(target)),
  }
}

const uniteBinds = (binds: readonly InterpreterBind[]) => [
  ...new Map(binds.map((bind) => [bind.target, bind])).values(),
]

/** Packages, what they link to outside of themselves, and the shared libraries that they and `more` load. */
function listBinds(
  paths: readonly string[],
  more: readonly string[],
  isIncluded: (path: string) => boolean,
  inJail: (path: string) => string,
): InterpreterBind[] {
  const filesOf = (path: string) => (statSync(path).isDirectory() ? list(path) : [path])
  const files = paths.flatMap(filesOf)
  const objects = [...more, ...files.filter((path) => /\.so(\.|$)/.test(path))].filter((path) =>
    existsSync(path),
  )
  return [
    ...paths.map((path) => ({ source: realpathSync(path), target: inJail(path) })),
    ...paths.flatMap((top) =>
      filesOf(top).flatMap((path) =>
        listOutwardLinks(path, join(inJail(top), relative(top, path)), isIncluded),
      ),
    ),
    ...(objects.length > 0 ? listLinkedLibraries(objects).filter(({ target }) => !isIncluded(target)) : []),
  ]
}

/**
 * A link out of a package, as distributions make them: what it leads to is needed where it looks for it, from
 * its place in the jail.
 */
function listOutwardLinks(
  path: string,
  placed: string,
  isIncluded: (path: string) => boolean,
): InterpreterBind[] {
  if (!lstatSync(path).isSymbolicLink() || !existsSync(path)) return []
  const link = readlinkSync(path)
  if (isIncluded(resolve(dirname(path), link)) || statSync(path).isDirectory()) return []
  return [{ source: realpathSync(path), target: resolve(dirname(placed), link) }]
}

/** Shared libraries that these files load, as the loader itself lists them. */
function listLinkedLibraries(objects: readonly string[]): InterpreterBind[] {
  let listing: string
  try {
    listing = execFileSync('ldd', [...objects], {
      env: { PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch (error) {
    // It fails where one of the files is no dynamic object; it has listed the others all the same.
    listing = (error as { stdout?: string }).stdout ?? ''
  }
  const targets = [...listing.matchAll(/(?:=>[ \t]*|^[ \t]+)(\/\S+) \(0x/gm)].map((match) => match[1]!)
  return [...new Set(targets)].map((target) => ({ target, source: realpathSync(target) }))
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return []
  }
}
