/**
 * A small disk that can be filled: a tmpfs in its own mount namespace, which ends with this process without
 * remains.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'

export interface SmallDisk {
  /** The command that runs another one where the disk is mounted on its folder. */
  readonly within: readonly string[]
  /** Takes every byte that is free. */
  fill(): Promise<void>
  free(): Promise<void>
  /** Ends the namespace; what runs in it must have ended. */
  close(): Promise<void>
}

/** Mounts it on the folder; null, with a printed reason, if the system does not allow it. */
export async function startSmallDisk(
  folder: string,
  mebibytes: number,
  refused: (reason: string) => void,
): Promise<SmallDisk | null> {
  // It lives as long as its stdin is open: a test run that is killed takes it along.
  const script = `mount -t tmpfs -o size=${mebibytes}m tmpfs "$0" && echo mounted && exec cat > /dev/null`
  const holder = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script, folder], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  holder.stderr.on('data', (text: Buffer) => (output += text.toString()))
  const ended = once(holder, 'close').catch((error: unknown) => (output += String(error)))
  const mounted = await Promise.race([once(holder.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!mounted) {
    refused(output.trim() || 'unshare ended without output')
    return null
  }
  const namespaces = ['--user', '--mount', '--preserve-credentials', '--wd=/']
  const within = ['nsenter', `--target=${holder.pid}`, ...namespaces]
  const shell = (command: string) =>
    promisify(execFile)(within[0]!, [...within.slice(1), 'sh', '-c', command, `${folder}/ballast`])
  return {
    within,
    // It ends with an error: there is no room for more.
    fill: () => shell('cat /dev/zero > "$0"').then(undefinedOf, undefinedOf),
    free: () => shell('rm -f "$0"').then(undefinedOf),
    async close() {
      holder.stdin.end()
      await ended
    },
  }
}

const undefinedOf = () => undefined
