/**
 * KEDA's question, asked of a real nats-server: each ScaledObject of the chart names a stream, a consumer and
 * an account whose lag is the number of jobs that wait or are being worked on. Runs with STATEEVAL_LONG=1.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type JobSubject, subjects } from '@stateeval/contracts'
import { createLog, openBus, type MessageBus } from '@stateeval/service-kit'
import { freePort, until } from '@stateeval/testkit'
import { type Manifest, render } from './kubernetes.ts'
import { missing, toolOrBuild, toolPath } from './kubernetes/tools.ts'

const long = process.env['STATEEVAL_LONG'] !== undefined
const server = long ? toolOrBuild('nats-server') : null
const reason = long ? missing('helm', 'nats-server') : 'scripts/test --long does it.'
if (reason !== null) console.info(`skipped: no NATS server is asked what KEDA asks: ${reason}`)
const onServer = reason === null ? test : test.skip

const installation = 'acme'
let folder: string
let nats: ChildProcess
let monitoring: string
let bus: MessageBus

beforeAll(async () => {
  if (reason !== null) return
  folder = mkdtempSync(join(tmpdir(), 'stateeval-lag-'))
  const [port, monitoringPort] = [await freePort(), await freePort()]
  monitoring = `127.0.0.1:${monitoringPort}`
  const ports = ['-a', '127.0.0.1', '-p', String(port), '-m', String(monitoringPort)]
  nats = spawn(server!, ['-js', '-sd', folder, ...ports], { stdio: 'ignore' })
  const log = createLog('scoring', { level: 'silent' })
  bus = openBus({ nats: { url: `nats://127.0.0.1:${port}` }, namespace: installation, name: 'lag', log })
  await bus.ready(AbortSignal.timeout(60_000))
})
afterAll(async () => {
  await bus?.close()
  if (nats?.exitCode === null) {
    const ended = new Promise((resolve) => nats.once('close', resolve))
    nats.kill('SIGKILL')
    await ended
  }
  if (folder) rmSync(folder, { recursive: true })
})

interface Trigger {
  type: string
  metadata: Record<
    | 'natsServerMonitoringEndpoint'
    | 'account'
    | 'stream'
    | 'consumer'
    | 'lagThreshold'
    | 'activationLagThreshold',
    string
  >
}
interface Monitored {
  account_details?: { name: string; stream_detail?: { name: string; consumer_detail?: Consumer[] }[] }[]
}
interface Consumer {
  name: string
  num_pending: number
  num_ack_pending: number
}

/** What KEDA's scaler nats-jetstream makes of the server's answer; null where it finds no such consumer. */
async function lagOf({ metadata }: Trigger): Promise<number | null> {
  const { natsServerMonitoringEndpoint: endpoint, account, stream, consumer } = metadata
  const answer = await fetch(`http://${endpoint}/jsz?acc=${account}&consumers=true&config=true`)
  const { account_details: accounts } = (await answer.json()) as Monitored
  const streams = accounts?.find(({ name }) => name === account)?.stream_detail
  const consumers = streams?.find(({ name }) => name === stream)?.consumer_detail
  const state = consumers?.find(({ name }) => name === consumer)
  return state === undefined ? null : state.num_pending + state.num_ack_pending
}

onServer('each trigger reads the jobs of its queue, those in work included', async () => {
  const manifests: Manifest[] = render(toolPath('helm')!, {
    installation,
    autoscaling: { by: 'keda' },
    nats: { trial: false, urlSecret: { name: 'servers', key: 'nats' }, monitoring },
  })
  const triggers = manifests
    .filter(({ kind }) => kind === 'ScaledObject')
    .flatMap(({ spec }) => (spec as { triggers: Trigger[] }).triggers)
  const queues = Object.values(subjects).filter((subject) => !subject.startsWith('jobs.evaluation.'))
  expect(triggers).toHaveLength(queues.length)
  expect(new Set(triggers.map(({ type }) => type))).toEqual(new Set(['nats-jetstream']))

  // Two replicas' worth of workers, each stuck in its first job.
  const release = Promise.withResolvers<void>()
  const workers = queues.map((subject) =>
    bus.consume(subject, { concurrency: 2 }, async (delivery) => {
      await release.promise
      delivery.ack()
    }),
  )
  const lags = async () => Promise.all(triggers.map(lagOf))
  const none = triggers.map(() => 0)
  await until(async () => JSON.stringify(await lags()) === JSON.stringify(none))
  const publish = (subject: JobSubject, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        bus.publishJob(subject, { id: `${subject}-${index}`, payload: { inline: {} } }),
      ),
    )
  // A number of its own for each queue, so that none can be taken for another.
  const counts = new Map(queues.map((subject, index) => [subject, 3 + index] as const))
  for (const [subject, count] of counts) await publish(subject, count)
  const expected = triggers.map(({ metadata }) => {
    const subject = queues.find((one) => one.replace('jobs.', '').replace('.', '-') === metadata.consumer)
    return counts.get(subject!)
  })
  expect(await lags()).toEqual(expected)

  release.resolve()
  await until(async () => JSON.stringify(await lags()) === JSON.stringify(none))
  await Promise.all(workers.map((worker) => worker.stop()))
  await Promise.all(workers.map(({ finished }) => finished))
})
