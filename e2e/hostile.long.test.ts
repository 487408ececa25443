/**
 * Hostile requests to each service while the whole suite runs, made from the contracts, and bodies that did
 * harm before: health is answered throughout, no answer is undocumented, memory stays bounded, and nothing
 * is lost. Runs some hundred requests a service, and 10,000 with STATEEVAL_LONG=1 (STATEEVAL_HOSTILE_SEED,
 * STATEEVAL_HOSTILE_REQUESTS for others), where bodies are larger, too.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  type Execution,
  executionOperations,
  type HttpOperations,
  type ServiceName,
  serviceNames,
  type Translation,
  translationOperations,
} from '@stateeval/contracts'
import {
  isLong,
  namespace,
  patience,
  pickForRun,
  type Servers,
  startServers,
  until,
} from '@stateeval/testkit'
import { sendHostile } from '../packages/testkit/src/hostile/barrage.ts'
import { startWatched, type WatchedService } from '../packages/testkit/src/hostile/watched.ts'
import { failoverCaller } from './chaos/caller.ts'
import { importMutantBenchmark, type MutantEvaluations } from './chaos/mutant.ts'
import { everyOperation } from './every-operation.ts'

const seed = process.env['STATEEVAL_HOSTILE_SEED'] ?? '1'
const count = Number(process.env['STATEEVAL_HOSTILE_REQUESTS'] ?? (isLong ? 10_000 : 24))
/** Short runs send little that takes long to send. */
const scale = isLong
  ? { bytes: 70 * 2 ** 20, count: 2_000_000, depth: 200_000 }
  : { bytes: 2 ** 20, count: 30_000, depth: 20_000 }
const part = isLong ? 1 : 1 / 150

/** Of large bodies together, of two threads that read them, and of the rest. */
const maxMiB = 512 + 2 * 1024 + 512

let servers: Servers
const services = {} as Record<ServiceName, WatchedService>
const caller = (name: ServiceName) => failoverCaller(() => [services[name].url])

beforeAll(async () => {
  servers = await startServers()
  const env = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_GRACE_SECONDS: '5',
    LOG_LEVEL: 'error',
  }
  await Promise.all(
    serviceNames.map(async (name) => {
      services[name] = await startWatched(name, env, (text) => {
        if (process.env['STATEEVAL_HOSTILE_LOG']) process.stderr.write(text)
      })
    }),
  )
  await prepare()
})
afterAll(async () => {
  await Promise.all(Object.values(services).map((service) => service.end()))
  await servers?.stop()
})

/** What was stored before, as addresses and their answers. */
const stored: { service: ServiceName; path: string; text: string }[] = []
const values: Record<string, string> = {}
let result: string
let evaluations: MutantEvaluations

const read = async (service: ServiceName, path: string) =>
  (await fetch(`${services[service].url}${path}`)).text()

async function prepare(): Promise<void> {
  evaluations = await importMutantBenchmark(caller('evaluation'))
  const { benchmark: set } = evaluations
  const evaluation = await evaluations.begin()
  result = await evaluations.waitForResult(evaluation)
  const { id: execution } = await caller('execution').call<Execution>(
    'POST',
    '/v1/executions?wait=60',
    executionOperations.createExecution.example,
  )
  await caller('execution').ended(`/v1/executions/${execution}`)
  const { id: translation } = await caller('translation').call<Translation>(
    'POST',
    '/v1/translations',
    translationOperations.createTranslation.example,
  )
  await caller('translation').ended(`/v1/translations/${translation}`)
  Object.assign(values, {
    'benchmarks/id': set,
    'evaluations/id': evaluation,
    'executions/id': execution,
    'translations/id': translation,
    'files/file': 'cases.jsonl',
    'samples/place': '0',
    'scenarios/id': 'session-service',
  })
  for (const [service, path] of [
    ['evaluation', `/v1/benchmarks/${set}/files/cases.jsonl`],
    ['evaluation', `/v1/evaluations/${evaluation}/report`],
    ['execution', `/v1/executions/${execution}`],
    ['translation', `/v1/translations/${translation}`],
  ] as const)
    stored.push({ service, path, text: await read(service, path) })
}

const operationsOf = (service: ServiceName): HttpOperations =>
  Object.fromEntries(everyOperation.filter((one) => one.service === service).map((one) => [one.id, one]))

/** All services share their doors; a default run tries those with the most operations. */
const tried = pickForRun<readonly ServiceName[]>(['evaluation', 'execution'], serviceNames)
test.each(tried)('hostile requests to %s', async (name) => {
  const service = services[name]
  service.watch()
  const peakBefore = service.peakMiB()
  const { statuses, faults, slowest } = await sendHostile(service.url, {
    ...{ operations: operationsOf(name), seed: `${name}/${seed}`, count, scale, part, values },
    ...(process.env['STATEEVAL_HOSTILE_LOG'] && {
      onRequest: ({ number, operation, what, manner, bytes }) =>
        console.error(`${number} ${operation.id}, ${what}, ${manner}, ${bytes.length} bytes`),
    }),
  })
  const { holdMs, failures, answers, unready, serviceMs, idleMs } = await service.look()
  if (isLong)
    console.log(
      `${name}: ${count} requests, ` +
        `answers by status ${JSON.stringify(statuses)}; health: ${answers.live} answers, the slowest after ` +
        `${Math.round(serviceMs.live)} ms (${Math.round(idleMs)} ms of a server that does nothing else); ` +
        `ready: ${answers.ready} answers, the slowest after ${Math.round(serviceMs.ready)} ms, ${unready} times not ready; ` +
        `longest hold of the event loop: ${holdMs} ms of CPU time; memory: ${Math.round(peakBefore)} to ${Math.round(service.peakMiB())} MiB; slowest request: ${slowest.ms} ms, ${slowest.what}`,
    )
  expect(faults).toEqual([])
  expect(failures).toEqual([])
  for (const answered of Object.values(answers)) expect(answered).toBeGreaterThan(0)
  // Health is answered within a second on a machine that gives the service a core: in CPU time of its event
  // loop, since others may take the cores.
  expect(holdMs).toBeLessThan(patience(1000))
  expect(service.peakMiB()).toBeLessThan(maxMiB)
})

test('nothing is lost, and an honest evaluation gives the same bytes', async () => {
  for (const { service, path, text } of stored)
    expect([path, await read(service, path)]).toEqual([path, text])
  expect(await evaluations.waitForResult(await evaluations.begin())).toBe(result)
  await until(async () => {
    const answers = await Promise.all(
      Object.values(services).map(async ({ url }) => (await fetch(`${url}/health/ready`)).ok),
    )
    return answers.every(Boolean)
  })
})
