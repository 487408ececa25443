/**
 * A caller over HTTP that has several replicas of one service to ask, and asks again where one is away: what
 * a client behind a load balancer does.
 */
import { patience } from '@stateeval/testkit/patience'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

export interface FailoverCaller {
  /** The body of an answer that is no refusal; a POST has an Idempotency-Key, so that it happens once. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Asks until what is there has ended; gives what it was then. */
  ended<T extends { status: string }>(path: string): Promise<T>
}

/** How long one request may take, and how long a caller asks at all. */
const requestMs = patience(8000)
const patienceMs = patience(240_000)

export function failoverCaller(urls: () => readonly string[]): FailoverCaller {
  let turn = 0
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const key = randomUUID()
    const end = Date.now() + patienceMs
    let lastAnswer = 'nobody answered'
    for (let last = ''; Date.now() < end; await sleep(200)) {
      const bases = urls()
      const response = await fetch(`${bases[turn++ % bases.length]}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(method === 'POST' && { 'idempotency-key': key }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(requestMs),
      }).catch((error: unknown) => (last = String(error)))
      if (typeof response === 'string') continue
      const text = await response.text().catch((error: unknown) => (last = String(error)))
      if (response.ok && text !== last) return JSON.parse(text) as T
      lastAnswer = last = `${response.status} ${text.slice(0, 500)}`
      // 409: the same request is under way at another replica.
      if (response.status < 500 && response.status !== 409) break
    }
    throw new Error(`${method} ${path}: ${lastAnswer}`)
  }
  return {
    call,
    async ended<T extends { status: string }>(path: string) {
      for (; ; await sleep(150)) {
        const now = await call<T>('GET', path)
        if (now.status !== 'queued' && now.status !== 'running') return now
      }
    },
  }
}
