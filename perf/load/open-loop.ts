/**
 * An open load model: requests arrive by themselves, at random times of a fixed mean rate, whatever became of
 * those before. A latency counts from the intended arrival, so what a slow server keeps from being sent
 * counts as well.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { random } from './random.ts'
import { type Answer, Connection } from './connection.ts'

interface Arrivals {
  port: number
  /** Arrivals a second, in the mean. */
  rate: number
  seconds: number
  /** The bytes of the n-th request. */
  request: (n: number) => Buffer
  seed?: number
}

/**
 * What became of the requests. Latencies in milliseconds, by status; 0 stands for those that got no answer.
 */
export interface Arrived {
  sent: number
  /** From the first arrival to the last answer. */
  seconds: number
  byStatus: Map<number, number[]>
  /** Refusals that did not say when to come back. */
  withoutRetryAfter: number
  /**
   * How late the sender itself was, at most, in milliseconds: where that is much, the machine was too busy to
   * measure.
   */
  lateMs: number
}

/** More are not opened: what finds none free waits for one, and its wait counts. */
const maxConnections = 1000
const maxDrainMs = 60_000

export async function arrive({ port, rate, seconds, request, seed = 1 }: Arrivals): Promise<Arrived> {
  const draw = random(seed)
  const free: Connection[] = []
  const waiting: [n: number, at: number][] = []
  const byStatus = new Map<number, number[]>()
  let [open, inFlight, withoutRetryAfter, lateMs, sent, lastAnswer] = [0, 0, 0, 0, 0, 0]

  const note = (at: number, answer: Answer | null) => {
    const status = answer?.status ?? 0
    const times = byStatus.get(status) ?? []
    lastAnswer = performance.now()
    times.push(lastAnswer - at)
    byStatus.set(status, times)
    if ((status === 503 || status === 429) && !answer?.retryAfter) withoutRetryAfter++
  }
  const serve = async (connection: Connection, n: number, at: number) => {
    for (;;) {
      note(at, await connection.send(request(n)))
      inFlight--
      if (connection.closed) return void open--
      const next = waiting.shift()
      if (!next) return void free.push(connection)
      ;[n, at] = next
    }
  }
  const send = (n: number, at: number) => {
    inFlight++
    const connection = free.pop()
    if (connection) return void serve(connection, n, at)
    if (open >= maxConnections) return void waiting.push([n, at])
    open++
    void serve(new Connection(port), n, at)
  }

  const began = performance.now()
  const end = began + seconds * 1000
  let at = began
  while ((at += (-Math.log(1 - draw()) * 1000) / rate) < end) {
    const ahead = at - performance.now()
    if (ahead > 1) await pause(Math.floor(ahead))
    // Others have their turn, too: answers are read between arrivals that are all overdue.
    else if (sent % 16 === 0) await new Promise((resolve) => setImmediate(resolve))
    lateMs = Math.max(lateMs, performance.now() - at)
    send(sent++, at)
  }
  const giveUp = performance.now() + maxDrainMs
  while (inFlight > 0 && performance.now() < giveUp) await pause(10)
  if (inFlight > 0) byStatus.set(0, [...(byStatus.get(0) ?? []), ...Array<number>(inFlight).fill(maxDrainMs)])
  for (const connection of free) connection.close()
  return { sent, seconds: (Math.max(end, lastAnswer) - began) / 1000, byStatus, withoutRetryAfter, lateMs }
}

/** The value that a share of all is not above; NaN where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
}
