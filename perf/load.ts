/**
 * `npm run perf -- load [--short] [--jobs N]`: the public API of an execution service under an open load
 * model. Requests arrive at fixed mean rates whatever becomes of them, beyond what the machine can do; then N
 * programs (100,000) are queued and drained. The service has a process of its own; the embedded servers, the
 * sandbox and the sender share the machine with it. Nine minutes on two quiet cores; with --short (2,000
 * programs) one.
 */
import { subjects } from '@stateeval/contracts'
import { namespace, startServers } from '@stateeval/testkit'
import { connect } from 'nats'
import { buildBusNames } from '../packages/service-kit/src/bus/names.ts'
import { serve } from './coordinator/serve.ts'
import { peakMiBOf } from './coordinator/usage.ts'
import { shares } from './load/shares.ts'
import { type Arrived, quantile } from './load/open-loop.ts'
import {
  accepting,
  ask,
  drained,
  fill,
  looking,
  running,
  type Target,
  throughQueue,
  trivial,
} from './load/stages.ts'
import { requestBytes } from './load/connection.ts'
import type { Bench } from './result.ts'

/** Aims of two cores. */
const aims = { rate: 1000, acceptedMs: 100, beyondMs: 10, share: 0.25 }

interface Row {
  what: string
  rate: number
  arrived: Arrived
  peakMiB: number
}

export async function run(options: string[]): Promise<Bench> {
  const short = options.includes('--short')
  const jobs = Number(options[options.indexOf('--jobs') + 1]) || (short ? 2000 : 100_000)
  const seconds = short ? 3 : 15
  const servers = await startServers()
  const space = namespace()
  const env = { ...servers.env, STATEEVAL_NAMESPACE: space, STATEEVAL_QUEUE: '1000000' }
  const nats = await connect({ servers: servers.natsUrl })
  const service = await serve('execution', env)
  const full = await serve('execution', { ...env, STATEEVAL_NAMESPACE: namespace(), STATEEVAL_QUEUE: '1000' })
  const portOf = ({ url }: { url: string }) => Number(new URL(url).port)
  const jsm = await nats.jetstreamManager()
  const target: Target = {
    port: portOf(service),
    async queued() {
      const of = buildBusNames(space)
      const { num_pending, num_ack_pending } = await jsm.consumers.info(
        of.jobs,
        of.consumer(subjects.executeAsked),
      )
      return num_pending + num_ack_pending
    },
  }
  const rows: Row[] = []
  const note = (what: string, rate: number, arrived: Arrived, pid = service.pid) => {
    rows.push({ what, rate, arrived, peakMiB: peakMiBOf(pid) })
    process.stderr.write(`${rowOf(rows.at(-1)!)}\n`)
    return arrived
  }
  const tell = (left: number) => void process.stderr.write(`\r${left} programs left   `)
  try {
    // What is compiled once, and the first runners.
    await running(target, 50, 2)
    const beyond = await throughQueue(target, trivial(1), short ? 50 : 300)

    const { id } = await ask<{ id: string }>(
      target,
      requestBytes('POST', '/v1/executions?wait=30', trivial(1)),
    )
    for (const rate of short ? [500] : [500, 1500])
      note('look', rate, await looking(target, id, rate, seconds))
    for (const rate of short ? [50] : [50, 100, 800])
      note('run and wait', rate, await running(target, rate, seconds))
    let accepted = 0
    for (const rate of short ? [250, aims.rate, 4000] : [250, 500, aims.rate, 2000, 4000, 250]) {
      const arrived = note('accept', rate, await accepting(target, rate, seconds))
      accepted += answeredWith(arrived, 202).length
    }
    // A service of its own with room for 1,000 programs: it refuses nearly all that arrive.
    note(
      'accept, queue full',
      aims.rate,
      await accepting({ ...target, port: portOf(full) }, aims.rate, seconds),
      full.pid,
    )
    full.child.kill('SIGKILL')

    const filled = await fill(target, Math.max(0, jobs - accepted))
    const queued = await target.queued()
    const drainSeconds = await drained(target, tell)
    const done = await doneOf(service.url)
    const peakMiB = peakMiBOf(service.pid)
    const costs = await shares(servers, { times: short ? 40 : 400, besides: [service.pid] })

    const at = (rate: number) => rows.find((row) => row.what === 'accept' && row.rate === rate)!.arrived
    const p99 = quantile(answeredWith(at(aims.rate), 202), 0.99)
    const goodput = (rate: number) => answeredWith(at(rate), 202).length / at(rate).seconds
    const p50 = quantile(beyond, 0.5)
    return {
      about: `Programs arrive at an execution service at random times with a fixed mean rate, regardless of earlier ones, and latencies count from the intended arrival. Accepted means: validated, stored and queued. Meanwhile, the service runs the accepted programs, on the same cores as the sender and the servers.`,
      parts: [
        {
          name: `accepting ${aims.rate}/s, p99`,
          unit: 'ms',
          ours: p99,
          peer: aims.acceptedMs,
          ratio: aims.acceptedMs / p99,
          aim: 1,
        },
        {
          name: `accepted of ${aims.rate} a second`,
          unit: '1/s',
          ours: goodput(aims.rate),
          peer: aims.rate,
          ratio: goodput(aims.rate) / aims.rate,
          aim: 0.95,
        },
        {
          name: 'accepted with 4000 arrivals a second, next to 1000',
          unit: '1/s',
          ours: goodput(4000),
          peer: goodput(aims.rate),
          ratio: goodput(4000) / goodput(aims.rate),
          aim: 0.7,
        },
        {
          name: 'from the request to the outcome through the queue, beyond the run, p50',
          unit: 'ms',
          ours: p50,
          peer: aims.beyondMs,
          ratio: aims.beyondMs / p50,
          aim: 1,
        },
        {
          name: 'share of bus, store and HTTP in the CPU time of a five-call run',
          unit: '%',
          ours: 100 * costs.share,
          peer: 100 * aims.share,
          ratio: aims.share / costs.share,
          aim: 1,
        },
        { name: 'programs drained', unit: '1/s', ours: queued / drainSeconds },
        { name: 'memory of the service at its peak', unit: 'MiB', ours: peakMiB },
      ],
      notes: [
        table(rows),
        `Through the queue, beyond the run: p50 ${ms(p50)}, p95 ${ms(quantile(beyond, 0.95))}, p99 ${ms(quantile(beyond, 0.99))} ms.`,
        `${accepted + filled.accepted} programs were queued, the last ${filled.accepted} by batches of 100 in ${filled.seconds.toFixed(1)} s (${Math.round(filled.accepted / filled.seconds)}/s); ${queued} remained and were drained in ${drainSeconds.toFixed(0)} s. The service reports ${done} jobs done.`,
        costs.notes,
      ].join('\n\n'),
    }
  } finally {
    await nats.close()
    for (const { child } of [service, full]) child.kill('SIGKILL')
    await servers.stop()
  }
}

const answeredWith = ({ byStatus }: Arrived, status: number) => byStatus.get(status) ?? []
const ms = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(value < 10 ? 1 : 0))

const cellsOf = ({ what, rate, arrived, peakMiB }: Row) => {
  const { byStatus, sent, seconds, withoutRetryAfter, lateMs } = arrived
  const good = [200, 202].flatMap((status) => byStatus.get(status) ?? [])
  const refused = [429, 503].flatMap((status) => byStatus.get(status) ?? [])
  const others = sent - good.length - refused.length
  const times = [0.5, 0.95, 0.99].map((share) => ms(quantile(good, share)))
  return [
    what,
    rate,
    Math.round(good.length / seconds),
    ...times,
    `${refused.length}${withoutRetryAfter ? ` (${withoutRetryAfter} without Retry-After)` : ''}`,
    ms(quantile(refused, 0.99)),
    others,
    Math.round(peakMiB),
    ms(lateMs),
  ]
}
const rowOf = (row: Row) => `| ${cellsOf(row).join(' | ')} |`
const table = (rows: readonly Row[]) =>
  [
    '| requests | arriving, 1/s | served, 1/s | p50, ms | p95 | p99 | refused with 429 or 503 | p99 of refusals | other ends | peak memory so far, MiB | sender late by at most, ms |',
    `| --- |${' ---: |'.repeat(10)}`,
    ...rows.map(rowOf),
  ].join('\n')

/** How many jobs of callers the service has done, as it counts them itself. */
async function doneOf(url: string): Promise<string> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = [...text.matchAll(/^stateeval_jobs_total\{([^}]*)\} (\d+)$/gm)].filter(([, labels]) =>
    labels!.includes('execution.asked'),
  )
  return lines.map(([, labels, count]) => `${count} ${/outcome="([^"]*)"/.exec(labels!)?.[1]}`).join(', ')
}
