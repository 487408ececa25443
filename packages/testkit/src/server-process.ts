/**
 * One embedded server, NATS or MongoDB, as a separate process that can be killed, paused, and run out of
 * disk space.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { resolveLocalBinary } from '@stateeval/local-servers/build'
import { spawnWithoutInherited } from '../../jail/src/descriptors.ts'
import { freePort } from './servers.ts'

export type ServerKind = 'mongodb' | 'nats'

export interface ServerProcess {
  readonly kind: ServerKind
  readonly port: number
  readonly pid: number
  /** What it wrote to stderr last. */
  readonly stderr: string
  /**
   * Starts it on its port and data; resolves when it is ready. Rejects with what it wrote where it ends
   * before.
   */
  start(): Promise<void>
  /** SIGKILL by default; resolves when it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>
  /** Sends a signal that it survives, such as SIGSTOP. */
  signal(name: NodeJS.Signals): void
}
interface ServerOptions {
  /** The folder of its data. */
  data: string
  /** A command that starts the one behind it, such as nsenter with its options. */
  within?: readonly string[]
  /** Further arguments of the embedded server. */
  args?: readonly string[]
}

/** Starts nothing yet. */
export async function serverProcess(
  kind: ServerKind,
  { data, within = [], args = [] }: ServerOptions,
): Promise<ServerProcess> {
  const port = await freePort()
  const binary = await resolveLocalBinary()
  const address = (other: ServerKind) => (other === kind ? `127.0.0.1:${port}` : '')
  const serverArgs = ['-data', data, '-mongodb', address('mongodb'), '-nats', address('nats'), ...args]
  const [command, ...rest] = [...within, binary, ...serverArgs] as [string, ...string[]]
  let child: ChildProcess | undefined
  let stderr = ''
  const isOver = () => !child || child.exitCode !== null || child.signalCode !== null
  return {
    kind,
    port,
    get pid() {
      return child!.pid!
    },
    get stderr() {
      return stderr
    },
    async start() {
      const started = spawnWithoutInherited(['ignore', 'pipe', 'pipe'], (stdio) =>
        spawn(command, rest, { stdio }),
      )
      child = started
      started.stderr?.on('data', (text: Buffer) => (stderr = (stderr + text.toString()).slice(-2000)))
      await new Promise<void>((resolve, reject) => {
        started.stdout?.on('data', (text: Buffer) => void (text.toString().includes('ready') && resolve()))
        started.once('error', reject)
        started.once('close', (code) => reject(new Error(`${kind} ended with ${code}: ${stderr}`)))
      })
    },
    async end(signal = 'SIGKILL') {
      if (isOver()) return
      const exit = new Promise((resolve) => child!.once('exit', resolve))
      child!.kill(signal)
      await exit
    },
    signal(name) {
      if (!isOver()) child!.kill(name)
    },
  }
}
