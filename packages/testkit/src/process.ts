/** A service as a separate process, which may be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceName } from '@stateeval/contracts'
import { freePort } from './servers.ts'
import { until } from './until.ts'
import { spawnWithoutInherited } from '../../jail/src/descriptors.ts'

const checkout = join(import.meta.dirname, '../../..')

export interface ServiceProcess {
  url: string
  /**
   * Starts it where it was; resolves when it is ready. Rejects at once, with its last output, where it ends
   * before.
   */
  start(): Promise<void>
  /** kill -9, and the end that it brings. */
  kill(): Promise<void>
  /** Asks it to end; resolves with the exit code when it has. */
  stop(): Promise<number | null>
  /** Sends a signal that it survives, such as SIGSTOP. */
  signal(name: NodeJS.Signals): void
  readonly pid: number
  /** The most memory that the process itself has held since its start, without its children, in MiB. */
  peakMiB(): number
}

/** Characters of output that an error shows. */
const maxOutput = 4000

/**
 * Resolves when it is ready; `onLog` gets its output, `root` is the checkout of its code, `within` a command
 * that starts the one behind it. Rejects immediately if it ends before.
 */
export async function startProcess(
  service: ServiceName,
  env: Readonly<Record<string, string | undefined>>,
  onLog: (text: string) => void = () => {},
  root = checkout,
  within: readonly string[] = [],
): Promise<ServiceProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { NODE_EXTRA_CA_CERTS: _, ...ownEnv } = process.env
  let child: ChildProcess
  const serviceProcess: ServiceProcess = {
    url,
    async start() {
      const entry = join(root, 'services', service, 'src/main.ts')
      const [file = '', ...args] = [...within, process.execPath, entry]
      child = spawnWithoutInherited(['ignore', 'pipe', 'pipe'], (stdio) =>
        spawn(file, args, {
          // Other tests run beside it: it is never too busy by itself.
          env: { ...ownEnv, STATEEVAL_MAX_LAG_MS: '0', ...env, HOST: '127.0.0.1', PORT: String(port) },
          stdio,
        }),
      )
      let output = ''
      let ending: number | string | undefined
      // Not 'exit': what it wrote last is read by then.
      child.once('close', (code, signal) => (ending = code ?? signal ?? 'an error'))
      child.once('error', (error) => (output += error.message))
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (data: Buffer) => {
          const text = data.toString()
          output = (output + text).slice(-maxOutput)
          onLog(text)
        })
      const isReady = async () => {
        if (ending !== undefined)
          throw new Error(`${service} ended with ${ending} before it was ready:\n${output}`)
        return (await fetch(`${url}/health/ready`).catch(() => null))?.ok
      }
      try {
        await until(isReady)
      } catch (error) {
        child.kill('SIGKILL')
        throw error
      }
    },
    async kill() {
      // Not `child` while it waits: that is another process once somebody has started one.
      const killed = child
      killed.kill('SIGKILL')
      await until(() => killed.exitCode !== null || killed.signalCode !== null, { everyMs: 5 })
    },
    async stop() {
      const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      return child.exitCode ?? exit
    },
    signal(name) {
      if (child.exitCode === null && child.signalCode === null) child.kill(name)
    },
    get pid() {
      return child.pid!
    },
    peakMiB: () =>
      Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024,
  }
  await serviceProcess.start()
  return serviceProcess
}
