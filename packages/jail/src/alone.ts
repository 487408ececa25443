/**
 * A jail with one layer: the machine’s files, read-only, and only the flags under test. For probes and
 * tests, which show the effect of a layer when no other protects. Never for candidates.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnWithoutInherited } from './descriptors.ts'

/** A jail's user outside of it if the host is root: nobody, without groups. */
export const nobody = 65534

/**
 * Root must become nobody before bubblewrap starts: with bubblewrap’s own --uid it stays the host’s root.
 */
export const dropRootCommand = (): string[] =>
  process.getuid?.() === 0
    ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs', '--']
    : ['setpriv', '--no-new-privs', '--']

export const toolPath = '/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin'

export interface AloneEnd {
  ok: boolean
  output: string
  /** Why it could not be done: the last line that somebody said, or the signal. */
  reason: string
}

/**
 * Runs a command in a jail with these flags of bubblewrap, for at most two minutes: a busy machine is slow.
 * The filter is passed as descriptor 3.
 */
export function runAlone(
  flags: readonly string[],
  command: readonly string[],
  filter?: Uint8Array,
): AloneEnd {
  const { stdio, close } = handFilter(filter)
  try {
    const words = [
      ...dropRootCommand(),
      ...['bwrap', '--die-with-parent', '--ro-bind', '/', '/', ...flags],
      ...(filter ? ['--seccomp', '3'] : []),
      ...['--', ...command],
    ]
    return run(words, stdio)
  } finally {
    close()
  }
}

/** The same without bubblewrap. */
export const runPlainly = (command: readonly string[]): AloneEnd =>
  run([...dropRootCommand(), ...command], ['ignore', 'pipe', 'pipe'])

function run(words: readonly string[], stdio: ('ignore' | 'pipe' | number)[]): AloneEnd {
  const options = {
    env: { PATH: toolPath, HOME: '/tmp' },
    cwd: '/',
    encoding: 'utf8' as const,
    timeout: 120_000,
  }
  const end = spawnWithoutInherited(stdio, (stdio) =>
    spawnSync(words[0]!, words.slice(1), { ...options, stdio }),
  )
  const ok = end.status === 0
  const last = end.stderr?.trim().split('\n').at(-1)
  return {
    ok,
    output: end.stdout ?? '',
    reason: ok
      ? ''
      : end.error
        ? end.error.message
        : last || (end.signal ? `ended by ${end.signal}` : `code ${end.status}`),
  }
}

/** The bytes as a descriptor that reads from its beginning. */
function handFilter(filter: Uint8Array | undefined): {
  stdio: ('ignore' | 'pipe' | number)[]
  close: () => void
} {
  if (!filter) return { stdio: ['ignore', 'pipe', 'pipe'], close: () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'stateeval-filter-'))
  const path = join(folder, 'filter')
  writeFileSync(path, filter)
  const fd = openSync(path, 'r')
  rmSync(folder, { recursive: true })
  return { stdio: ['ignore', 'pipe', 'pipe', fd], close: () => closeSync(fd) }
}
