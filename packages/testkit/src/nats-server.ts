/**
 * A real nats-server with its own configuration: one on PATH, or one that Go builds once from the module of
 * the embedded servers.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { buildFlags } from '@stateeval/local-servers/build'
import { spawnWithoutInherited } from '../../jail/src/descriptors.ts'
import { freePort } from './servers.ts'
import { until } from './until.ts'
import { connect } from 'node:net'

const goMod = join(import.meta.dirname, '../../local-servers/server/go.mod')

/** Its path. Rejects with what is missing if there is none and it cannot be built. */
export async function natsServerBinary(): Promise<string> {
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'nats-server'))
    .find((path) => existsSync(path))
  if (onPath) return onPath
  const version = /nats-server\/v2 (v\S+)/.exec(await readFile(goMod, 'utf8'))![1]!
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const folder = join(cache, 'stateeval', 'nats-server', version)
  const binary = join(folder, 'nats-server')
  if (!existsSync(binary))
    await promisify(execFile)(
      'go',
      ['install', ...buildFlags, `github.com/nats-io/nats-server/v2@${version}`],
      {
        cwd: '/',
        env: { ...process.env, GOBIN: folder, GOFLAGS: '', CGO_ENABLED: '0' },
      },
    )
  return binary
}

export interface NatsServer {
  port: number
  /** All that it has logged, refused requests among it. */
  readonly output: string
  stop(): Promise<void>
}

/** Starts it on a free port; `env` sets the variables in its configuration. */
export async function startNatsServer(
  config: string,
  data: string,
  env: Readonly<Record<string, string>>,
): Promise<NatsServer> {
  const [binary, port] = [await natsServerBinary(), await freePort()]
  const args = ['-c', config, '-js', '-sd', data, '-a', '127.0.0.1', '-p', String(port)]
  const child = spawnWithoutInherited(['ignore', 'pipe', 'pipe'], (stdio) =>
    spawn(binary, args, { stdio, env: { ...process.env, ...env } }),
  )
  let output = ''
  const exit = new Promise((resolve) => child.once('close', resolve))
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => (output += text.toString()))
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nats-server ended: ${output}`)
    return new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      }).once('error', () => resolve(false))
    })
  })
  return {
    port,
    get output() {
      return output
    },
    async stop() {
      child.kill('SIGKILL')
      await exit
    },
  }
}
