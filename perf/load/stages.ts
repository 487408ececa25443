/** What is measured of an execution service under load, one stage after the other. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Execution, ExecutionRequest } from '@stateeval/contracts'
import { Connection, requestBytes } from './connection.ts'
import { arrive, type Arrived } from './open-loop.ts'

/** Where the service listens, and its queue. */
export interface Target {
  port: number
  /** Programs that wait or run, as the broker counts them. */
  queued(): Promise<number>
}

export const trivial = (n: number): ExecutionRequest => ({
  language: 'javascript',
  world: 'none',
  code: `RESULT = ${n}`,
  inputs: [{ variables: {}, world: {} }],
})

/** Programs that nobody waits for: each is validated, stored and queued before the answer. */
export const accepting = ({ port }: Target, rate: number, seconds: number): Promise<Arrived> =>
  arrive({
    ...{ port, rate, seconds, seed: rate },
    request: (n) => requestBytes('POST', '/v1/executions', trivial(n)),
  })

/** Programs whose callers wait for the result. */
export const running = ({ port }: Target, rate: number, seconds: number): Promise<Arrived> =>
  arrive({
    ...{ port, rate, seconds, seed: rate },
    request: (n) => requestBytes('POST', '/v1/executions?wait=30', trivial(n)),
  })

/** Looks at one execution. */
export const looking = ({ port }: Target, id: string, rate: number, seconds: number): Promise<Arrived> => {
  const request = requestBytes('GET', `/v1/executions/${id}`)
  return arrive({ port, rate, seconds, seed: rate, request: () => request })
}

/** Asks for one thing and gives the body of the answer. */
export async function ask<T>({ port }: Target, request: Buffer): Promise<T> {
  const connection = new Connection(port)
  try {
    const answer = await connection.send(request)
    if (!answer || answer.status >= 300) throw new Error(`${answer?.status}: ${answer?.body.slice(0, 300)}`)
    return JSON.parse(answer.body) as T
  } finally {
    connection.close()
  }
}

/**
 * From being asked for to the outcome, by way of the queue, less what the program itself took: one after the
 * other, in milliseconds.
 */
export async function throughQueue(
  target: Target,
  program: ExecutionRequest,
  times: number,
): Promise<number[]> {
  const connection = new Connection(target.port)
  const beyond: number[] = []
  for (let n = 0; n < times; n++) {
    // Who gives a key is served by the queue, also where a place is free.
    const key = { 'idempotency-key': randomUUID() }
    const request = requestBytes('POST', '/v1/executions?wait=60', program, key)
    const began = performance.now()
    const answer = await connection.send(request)
    const tookMs = performance.now() - began
    if (answer?.status !== 200) throw new Error(`a program was not run: ${answer?.status} ${answer?.body}`)
    const { result } = JSON.parse(answer.body) as Execution
    beyond.push(tookMs - result!.observations.reduce((sum, { wallMs }) => sum + wallMs, 0))
  }
  connection.close()
  return beyond
}

/**
 * Fills the queue by batches until so many programs have been accepted; gives those that were accepted, and
 * the seconds.
 */
export async function fill(target: Target, programs: number): Promise<{ accepted: number; seconds: number }> {
  const size = 100
  const began = performance.now()
  let [accepted, next] = [0, 0]
  const sender = async () => {
    const connection = new Connection(target.port)
    while (next < programs) {
      const first = next
      next += size
      const batch = Array.from({ length: Math.min(size, programs - first) }, (_, n) => trivial(first + n))
      const request = requestBytes('POST', '/v1/executions', { batch })
      for (;;) {
        const answer = await connection.send(request)
        if (answer?.status === 202) break
        if (answer?.status !== 503) throw new Error(`a batch was not accepted: ${answer?.status}`)
        await pause(500)
      }
      accepted += batch.length
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: 4 }, sender))
  return { accepted, seconds: (performance.now() - began) / 1000 }
}

/** Waits until nothing is queued; gives the seconds. */
export async function drained(target: Target, tell: (left: number) => void): Promise<number> {
  const began = performance.now()
  for (;;) {
    const left = await target.queued()
    if (left === 0) return (performance.now() - began) / 1000
    tell(left)
    await pause(500)
  }
}
