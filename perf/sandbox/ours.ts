/**
 * Ours: an execution service in a process of its own, asked over HTTP (one program, or a batch) and over
 * NATS.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { connect, type NatsConnection } from 'nats'
import {
  type Execution,
  type ExecutionRequest,
  type ExecutionResult,
  type JobMessage,
  type Observation,
  type JobReply,
  subjects,
  toJson,
} from '@stateeval/contracts'
import { freePort, namespace, type Servers } from '@stateeval/testkit'
import { ownCpuSecondsOf } from '../coordinator/usage.ts'
import { listDescendants, measureUsage } from '../../packages/jail/src/process-tree.ts'
import { buildBusNames } from '../../packages/service-kit/src/bus/names.ts'

const main = join(import.meta.dirname, '../../services/execution/src/main.ts')

/** What the service says to a program in a world that this machine lacks in its language. */
const unprocessable = 422

/** The service answered with a problem. */
class Refused extends Error {
  readonly status: number | undefined
  readonly detail: string
  constructor(status: number | undefined, text: string) {
    super(`${status}: ${text.slice(0, 500)}`)
    this.status = status
    this.detail = detailOf(text)
  }
}

function detailOf(text: string): string {
  try {
    return String((JSON.parse(text) as { detail?: unknown }).detail ?? text)
  } catch {
    return text
  }
}

export interface Ours {
  /** Each rejects unless the program completed. */
  one(request: ExecutionRequest): Promise<void>
  /** The same on a connection of its own, as a command makes it. */
  oneAlone(request: ExecutionRequest): Promise<void>
  batch(requests: readonly ExecutionRequest[]): Promise<void>
  /** Why this machine cannot run the program, as the service says it; undefined where it can. */
  lacks(request: ExecutionRequest): Promise<string | undefined>
  /** What came out of each program's first input, however it ended. */
  observe(requests: readonly ExecutionRequest[]): Promise<Observation[]>
  job(request: ExecutionRequest): Promise<void>
  /** CPU time so far, in milliseconds: of the service with its jails, of the jails alone. */
  cpu(): { all: number; jails: number }
  /** Memory of its own that a jail has, in MiB: mean and number. */
  runners(): { count: number; meanMiB: number }
  stop(): Promise<void>
}

export async function startOurs(servers: Servers, concurrency: number): Promise<Ours> {
  const port = await freePort()
  const space = namespace()
  const env = {
    PATH: process.env['PATH'],
    ...servers.env,
    STATEEVAL_NAMESPACE: space,
    PORT: String(port),
    LOG_LEVEL: 'warn',
  }
  const child = spawn(process.execPath, [main], {
    env: { ...env, STATEEVAL_CONCURRENCY: String(concurrency), ...pythonNamed() },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await ready(url, child)
  const nats = await connect({ servers: servers.natsUrl })
  const replies = subscribeToReplies(nats, space)

  // Plain requests on connections that stay: the client shares the cores with what is measured.
  const agent = new Agent({ keepAlive: true })
  const post = (body: unknown, by: Agent | false = agent) =>
    new Promise<Execution>((resolve, reject) => {
      const text = JSON.stringify(body)
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
      const clientRequest = httpRequest(
        `${url}/v1/executions?wait=120`,
        { method: 'POST', agent: by, headers },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
          response.on('end', () => {
            const responseText = Buffer.concat(chunks).toString()
            if (response.statusCode === 200) resolve(JSON.parse(responseText) as Execution)
            else reject(new Refused(response.statusCode, responseText))
          })
        },
      )
      clientRequest.on('error', reject).end(text)
    })
  return {
    one: async (request) => completed((await post(request)).result!),
    oneAlone: async (request) => completed((await post(request, false)).result!),
    async lacks(request) {
      try {
        await post(request)
        return undefined
      } catch (error) {
        if (error instanceof Refused && error.status === unprocessable) return error.detail
        throw error
      }
    },
    observe: async (batch) => (await post({ batch })).results!.map(({ observations }) => observations[0]!),
    batch: async (batch) => (await post({ batch })).results!.forEach(completed),
    async job(value) {
      const id = randomUUID()
      const reply = replies.of(id)
      const message: JobMessage = {
        id,
        payload: { inline: toJson(value) },
        replyTo: { subject: subjects.ask, correlation: id },
      }
      await nats
        .jetstream()
        .publish(buildBusNames(space).job(subjects.execute, id), JSON.stringify(message), { msgID: id })
      const { outcome } = await reply
      if (outcome.status !== 'done') throw new Error(outcome.reason)
      const answer: object = outcome.value
      if ('inline' in answer) completed(answer.inline as ExecutionResult)
    },
    cpu() {
      // What is not the service's own are its jails', also of those that have ended.
      const all = measureUsage(child.pid!).cpuMs
      return { all, jails: all - ownCpuSecondsOf(child.pid!) * 1000 }
    },
    runners() {
      const sizes = jails(child).map((pid) => measureUsage(pid).memoryBytes / 2 ** 20)
      return { count: sizes.length, meanMiB: sizes.reduce((sum, mib) => sum + mib, 0) / (sizes.length || 1) }
    },
    async stop() {
      agent.destroy()
      await nats.close()
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

/** The outermost processes of the jails: their parent is the service. */
function jails({ pid }: ChildProcess): number[] {
  const all = listDescendants(pid!)
  const below = new Set(all.slice(1).flatMap((each) => listDescendants(each).slice(1)))
  return all.slice(1).filter((each) => !below.has(each))
}

const pythonNamed = () =>
  process.env['STATEEVAL_PYTHON'] === undefined ? {} : { STATEEVAL_PYTHON: process.env['STATEEVAL_PYTHON'] }

function completed({ observations }: ExecutionResult) {
  for (const { ending } of observations)
    if (ending.status !== 'completed')
      throw new Error(`a program of the bench didn’t complete: ${JSON.stringify(ending)}`)
}

async function ready(url: string, child: ChildProcess) {
  for (let tries = 0; tries < 300 && child.exitCode === null; tries++) {
    const up = await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (up) return
    await new Promise((go) => setTimeout(go, 100))
  }
  throw new Error('the execution service did not come up')
}

function subscribeToReplies(nats: NatsConnection, space: string) {
  const waiting = new Map<string, (reply: JobReply) => void>()
  nats.subscribe(buildBusNames(space).kind(subjects.ask), {
    callback: (_, message) => {
      const { payload } = message.json<{ payload: { inline?: JobReply } }>()
      const reply = payload.inline
      if (!reply) return
      waiting.get(reply.correlation)?.(reply)
      waiting.delete(reply.correlation)
    },
  })
  return { of: (id: string) => new Promise<JobReply>((resolve) => waiting.set(id, resolve)) }
}
