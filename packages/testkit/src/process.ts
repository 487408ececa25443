/** A service as a process of its own, which may be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { ServiceName } from '@stateeval/contracts'
import { until } from './until.ts'

const services = join(import.meta.dirname, '../../../services')

/** Resolves when it is ready; `onLog` gets what it writes. */
export async function startProcess(
  service: ServiceName,
  port: number,
  env: Readonly<Record<string, string | undefined>>,
  onLog: (text: string) => void = () => {},
): Promise<ChildProcess> {
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env
  const child = spawn(process.execPath, [join(services, service, 'src/main.ts')], {
    env: { ...own, ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => onLog(text.toString()))
  await until(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null))?.ok, { withinMs: 60_000 })
  return child
}

/** kill -9, and the end that it brings. */
export async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await until(() => child.signalCode !== null, { everyMs: 5 })
}
