/** Sends hostile requests to a service, several at a time, and collects what is wrong about its answers. */
import type { HttpOperations } from '@stateeval/contracts'
import { hostileFault } from './answers.ts'
import { knownRequests } from './known.ts'
import type { OpenApiDocument } from './operations.ts'
import { type HostileOptions, type HostileRequest, hostileRequests } from './requests.ts'
import { exchange, heldConnections } from './send.ts'

interface BarrageOutcome {
  /** Answers by status; 0 counts requests that were not to be answered. */
  statuses: Record<number, number>
  faults: string[]
  /** The request that took longest, and how long, for people. */
  slowest: { ms: number; what: string }
}
interface BarrageOptions extends Omit<HostileOptions, 'host'> {
  operations: HttpOperations
  /** Of the sizes of known bodies, at most 1. */
  part: number
  /** Requests at a time. Default: 8. */
  together?: number
  /** Connections that are held open, so many at most. */
  held?: number
  onRequest?: (request: HostileRequest) => void
}

export async function sendHostile(
  url: string,
  { operations, part, together = 8, held: most = 200, onRequest, ...options }: BarrageOptions,
): Promise<BarrageOutcome> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument
  const { host, port } = new URL(url)
  const requests = hostileRequests(document, { ...options, host })
  const held = heldConnections(most)
  const outcome: BarrageOutcome = { statuses: {}, faults: [], slowest: { ms: 0, what: '' } }
  const send = async (some: Iterable<HostileRequest>) => {
    for (const request of some) {
      onRequest?.(request)
      const from = performance.now()
      const { answers, fault } = await exchange(Number(port), request, held)
      const what = `${request.number} ${request.operation.id}, ${request.what}, ${request.manner}`
      const ms = performance.now() - from
      if (ms > outcome.slowest.ms) outcome.slowest = { ms: Math.round(ms), what }
      for (const { status } of answers.length > 0 ? answers : [{ status: 0 }])
        outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1
      for (const found of [fault, ...answers.map((answer) => hostileFault(operations, request, answer))])
        if (found != null) outcome.faults.push(`${what}: ${found}`)
    }
  }
  // One by one, so that none is refused for the others.
  await send(knownRequests(document, { part, host }))
  await Promise.all(Array.from({ length: together }, () => send(requests)))
  held.end()
  return outcome
}
