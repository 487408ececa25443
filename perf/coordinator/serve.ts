/** Services as processes of their own, so that what each uses can be told apart. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@stateeval/testkit'

/** A service in a process of its own. */
export interface Served {
  child: ChildProcess
  pid: number
  url: string
}
/** Starts a service as a process; resolves when it is ready. `words` stand before the command. */
export async function serve(
  name: string,
  env: NodeJS.ProcessEnv,
  words: readonly string[] = [],
): Promise<Served> {
  const port = await freePort()
  const main = join(import.meta.dirname, `../../services/${name}/src/main.ts`)
  const [command = process.execPath, ...args] = [...words, process.execPath, main]
  const child = spawn(command, args, {
    env: { ...process.env, ...env, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    await pause(100)
  }
  return { child, pid: child.pid ?? 0, url }
}
