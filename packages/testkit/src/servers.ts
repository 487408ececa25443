/**
 * Real NATS and MongoDB for tests: those in MONGODB_URI and NATS_URL, otherwise programs on PATH, otherwise
 * the embedded server. They start once per test run, on free ports and in a temporary folder, which are
 * both released afterwards.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pipeline } from '@stateeval/contracts'
import { resolveLocalBinary } from '@stateeval/local-servers/build'
import { claimFreePort } from '@stateeval/local-servers/ports'
import { spawnWithoutInherited } from '../../jail/src/descriptors.ts'

export interface Servers {
  mongoUri: string
  natsUrl: string
  /** What a service's environment needs to find them. */
  env: { MONGODB_URI: string; NATS_URL: string }
  /** Kills both at once where they are ours, as a crash would. */
  kill(): Promise<void>
  /** Starts them again on the same ports and data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts the servers that the environment does not name. */
export async function startServers(env: NodeJS.ProcessEnv = process.env): Promise<Servers> {
  const { MONGODB_URI: mongoGiven, NATS_URL: natsGiven } = env
  const folder = await mkdtemp(join(tmpdir(), 'stateeval-test-'))
  const mongoPort = await freePort()
  const natsPort = await freePort()
  const mongoUri = mongoGiven || `mongodb://127.0.0.1:${mongoPort}`
  const natsUrl = natsGiven || `nats://127.0.0.1:${natsPort}`
  const mongod = mongoGiven ? undefined : onPath('mongod', env)
  const natsServer = natsGiven ? undefined : onPath('nats-server', env)
  const embedMongo = !mongoGiven && !mongod
  const embedNats = !natsGiven && !natsServer
  let children: ChildProcess[] = []

  const launch = async () => {
    if (mongod)
      children.push(
        run(mongod, ['--dbpath', folder, '--port', String(mongoPort), '--bind_ip', '127.0.0.1', '--quiet']),
      )
    if (natsServer)
      children.push(
        run(natsServer, ['-js', '-sd', join(folder, 'nats'), '-a', '127.0.0.1', '-p', String(natsPort)]),
      )
    if (embedMongo || embedNats) {
      const address = (isEmbedded: boolean, port: number) => (isEmbedded ? `127.0.0.1:${port}` : '')
      const args = [
        '-data',
        folder,
        '-mongodb',
        address(embedMongo, mongoPort),
        '-nats',
        address(embedNats, natsPort),
      ]
      const child = run(await resolveLocalBinary({ env }), args)
      children.push(child)
      await ready(child)
    }
  }
  const end = async (signal: NodeJS.Signals) => {
    const ending = children
    children = []
    await Promise.all(ending.map((child) => ended(child, signal)))
  }
  try {
    await launch()
  } catch (error) {
    await end('SIGKILL')
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return {
    mongoUri,
    natsUrl,
    env: { MONGODB_URI: mongoUri, NATS_URL: natsUrl },
    kill: () => end('SIGKILL'),
    restart: launch,
    async stop() {
      await end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A free port of this machine that stays claimed, so that a killed server can restart there. */
export const freePort = async () => (await claimFreePort()).port

/** Takes the ports that `up` tries first, unless they are taken. Returns what gives them back. */
export async function takeFirstPorts(): Promise<() => void> {
  const servers = await Promise.all(
    [27017, 4222, ...pipeline.map(({ port }) => port)].map(
      (port) =>
        new Promise<Server>((resolve) => {
          const server = createServer().on('error', () => resolve(server))
          server.listen(port, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  return () => servers.forEach((server) => server.close())
}

const onPath = (name: string, env: NodeJS.ProcessEnv) =>
  (env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

function run(command: string, args: string[]): ChildProcess {
  return spawnWithoutInherited(['ignore', 'pipe', 'ignore'], (stdio) => spawn(command, args, { stdio }))
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => {
      if (text.toString().includes('ready')) resolve()
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`the embedded servers ended with ${code} before they were ready`)),
    )
  })
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  const late = setTimeout(() => child.kill('SIGKILL'), 8000)
  await exit
  clearTimeout(late)
}
