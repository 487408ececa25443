/** The embedded servers as a process of their own on a folder of their own, for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { connect, type NatsConnection } from 'nats'
import { freePort, patience } from '@stateeval/testkit'
import { resolveLocalBinary } from '@stateeval/local-servers/build'

export interface EmbeddedProcess {
  readonly binary: string
  /** The folder of the data. */
  readonly data: string
  /** Arguments that start it on its own folder, or on another one. */
  options(folder?: string): string[]
  /** Starts it; resolves when it is ready, and rejects with what it wrote if it ends before. */
  start(): Promise<void>
  /** What it has written to stderr since the last start. */
  stderr(): string
  /** Sends a signal; resolves with the exit code when it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>
  withMongo<T>(work: (client: MongoClient) => Promise<T>): Promise<T>
  withNats<T>(work: (connection: NatsConnection) => Promise<T>): Promise<T>
  /** Kills it and removes its folder. */
  remove(): Promise<void>
}

/** Builds the binary where necessary; starts nothing. */
export async function embeddedProcess(): Promise<EmbeddedProcess> {
  const binary = await resolveLocalBinary({ progress: (text) => process.stderr.write(`${text}\n`) })
  const data = await mkdtemp(join(tmpdir(), 'stateeval-embedded-'))
  const ports = { mongodb: await freePort(), nats: await freePort() }
  let child: ChildProcess | undefined
  let stderr = ''
  const options = (folder = data) => [
    '-data',
    folder,
    '-mongodb',
    `127.0.0.1:${ports.mongodb}`,
    '-nats',
    `127.0.0.1:${ports.nats}`,
  ]
  const end = async (signal: NodeJS.Signals) => {
    const running = child
    if (!running || running.exitCode !== null || running.signalCode !== null) return running?.exitCode ?? null
    const exit = once(running, 'exit') as Promise<[number | null]>
    running.kill(signal)
    return (await exit)[0]
  }
  return {
    binary,
    data,
    options,
    async start() {
      stderr = ''
      const started = (child = spawn(binary, options(), { stdio: ['ignore', 'pipe', 'pipe'] }))
      started.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
      // 'close' comes when all that it wrote has been read.
      await Promise.race([
        once(started.stdout, 'data'),
        once(started, 'close').then(() => Promise.reject(new Error(`it ended: ${stderr}`))),
      ])
    },
    stderr: () => stderr,
    end,
    async withMongo(work) {
      // A command whose connection breaks is never sent again: what was answered must be told from what was
      // not.
      const client = new MongoClient(`mongodb://127.0.0.1:${ports.mongodb}`, {
        serverSelectionTimeoutMS: patience(5_000),
        retryWrites: false,
        retryReads: false,
      })
      try {
        return await work(client)
      } finally {
        await client.close()
      }
    },
    async withNats(work) {
      const connection = await connect({ servers: `127.0.0.1:${ports.nats}`, reconnect: false })
      try {
        return await work(connection)
      } finally {
        await connection.close()
      }
    },
    async remove() {
      await end('SIGKILL')
      await rm(data, { recursive: true, force: true })
    },
  }
}
