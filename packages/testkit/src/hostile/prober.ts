/**
 * A separate process that asks a service for its health all the time, and beside it a server that does
 * nothing else than answer: how long that one takes is the machine's, not the service's.
 */
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** The longest answers so far, in milliseconds, and how many there were. */
export interface ProbeSummary {
  answers: number
  failures: string[]
  serviceMs: number
  idleMs: number
}

const everyMs = 20
const url = process.argv[2]!
const idle = createServer((_request, reply) => void reply.end('live'))
await new Promise<void>((resolve) => idle.listen(0, '127.0.0.1', resolve))
const { port } = idle.address() as { port: number }
let probed: ProbeSummary = { answers: 0, failures: [], serviceMs: 0, idleMs: 0 }

async function ask(of: string): Promise<number> {
  const from = performance.now()
  const answer = await fetch(of, { signal: AbortSignal.timeout(120_000) })
  await answer.text()
  if (answer.status !== 200) throw new Error(`answered ${answer.status}`)
  return performance.now() - from
}
async function watch(of: string, note: (ms: number) => void): Promise<void> {
  for (;;) {
    try {
      note(await ask(of))
    } catch (error) {
      if (probed.failures.length < 20) probed.failures.push(String(error))
    }
    await sleep(everyMs)
  }
}
void watch(`${url}/health/live`, (ms) => {
  probed.answers++
  probed.serviceMs = Math.max(probed.serviceMs, ms)
})
void watch(`http://127.0.0.1:${port}`, (ms) => (probed.idleMs = Math.max(probed.idleMs, ms)))

process.on('message', () => {
  process.send!(probed)
  probed = { answers: 0, failures: [], serviceMs: 0, idleMs: 0 }
})
process.on('disconnect', () => process.exit(0))
process.send!('ready')
