/**
 * A separate process that asks a service for its health all the time while it watches, and beside it a server
 * that does nothing else than answer: how long that one takes is the machine's, not the service's. Five that
 * always watch would take as much of the machine as the services.
 */
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** While it watched. */
export interface ProbeSummary {
  answers: Record<HealthQuestion, number>
  /** How often it said that it is not ready. */
  unready: number
  failures: string[]
  /** The longest answers, in milliseconds. */
  serviceMs: Record<HealthQuestion, number>
  idleMs: number
}
const questions = ['live', 'ready'] as const
type HealthQuestion = (typeof questions)[number]

const everyMs = 20
const url = process.argv[2]!
const idle = createServer((_request, reply) => void reply.end('live'))
await new Promise<void>((resolve) => idle.listen(0, '127.0.0.1', resolve))
const { port } = idle.address() as { port: number }
const none = (): ProbeSummary => ({
  answers: { live: 0, ready: 0 },
  unready: 0,
  failures: [],
  serviceMs: { live: 0, ready: 0 },
  idleMs: 0,
})
let probed = none()
let watching = Promise.withResolvers<void>()

async function ask(of: string): Promise<{ status: number; ms: number }> {
  const from = performance.now()
  const answer = await fetch(of, { signal: AbortSignal.timeout(120_000) })
  await answer.text()
  return { status: answer.status, ms: performance.now() - from }
}
async function watch(of: string, note: (answer: { status: number; ms: number }) => void): Promise<void> {
  for (;;) {
    await watching.promise
    try {
      note(await ask(of))
    } catch (error) {
      if (probed.failures.length < 20) probed.failures.push(`${of}: ${String(error)}`)
    }
    await sleep(everyMs)
  }
}
for (const question of questions)
  void watch(`${url}/health/${question}`, ({ status, ms }) => {
    if (question === 'ready' && status === 503) probed.unready++
    else if (status !== 200) throw new Error(`answered ${status}`)
    probed.answers[question]++
    probed.serviceMs[question] = Math.max(probed.serviceMs[question], ms)
  })
void watch(`http://127.0.0.1:${port}`, ({ ms }) => (probed.idleMs = Math.max(probed.idleMs, ms)))

process.on('message', (order: 'watch' | 'look') => {
  if (order === 'watch') {
    probed = none()
    watching.resolve()
  } else {
    watching = Promise.withResolvers()
    process.send!(probed)
  }
})
process.on('disconnect', () => process.exit(0))
process.send!('ready')
