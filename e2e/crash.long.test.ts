/**
 * Services and the embedded servers are killed in turn in the middle of an evaluation and started again by
 * `up`. The evaluation ends with the result of an undisturbed run: no case lost, none counted twice. With
 * STATEEVAL_LONG=1; short runs kill each service in e2e/chaos, and the servers in e2e/embedded-kills.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createClient } from '@stateeval/client'
import { evaluationOperations } from '@stateeval/contracts'
import { isLong, until as comesTrue } from '@stateeval/testkit'
import { stopSuite } from '../apps/cli/src/local/down.ts'
import { isAlive } from '../apps/cli/src/local/process.ts'
import type { InstallationFileState } from '../apps/cli/src/local/state.ts'
import { startSuite } from '../apps/cli/src/local/up.ts'

const whenLong = isLong ? test : test.skip
const samples = 4
const keep = 5
let home: string
let state: InstallationFileState
/**
 * Servers of the machine may not be killed: this suite gets its own, and a log level that keeps its logs
 * short.
 */
const {
  MONGODB_URI: _mongodb,
  NATS_URL: _nats,
  STATEEVAL_NAMESPACE: _namespace,
  STATEEVAL_HOME: _home,
  ...env
} = process.env
const start = async () =>
  (state = await startSuite({ home, env: { ...env, LOG_LEVEL: 'warn' }, folder: home }))

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stateeval-crash-'))
  await start()
})
afterAll(async () => {
  await stopSuite({ home, env, folder: home, grace: 5_000 })
  await rm(home, { recursive: true, force: true })
})

const part = (name: string) => state.parts.find((candidate) => candidate.name === name)!
const evaluation = () => createClient(evaluationOperations, { baseUrl: part('evaluation').urls.http! })

/** Asks until the answer suits. A service that is just away is asked again. */
const until = <T>(ask: () => Promise<T>, suits: (value: T) => boolean): Promise<T> =>
  comesTrue(
    async () => {
      const value = await ask().catch(() => undefined)
      return value !== undefined && suits(value) ? { value } : null
    },
    { withinMs: 600_000 },
  ).then(({ value }) => value)

const ended = ({ status }: { status: string }) => status !== 'queued' && status !== 'running'

whenLong('an evaluation survives the death of every part', async () => {
  const build = await evaluation().createBenchmark({
    body: { build: { scenario: 'session-service', strategy: 'coverage', programs: 7, keep, seed: 3 } },
  })
  const set = await until(() => evaluation().getBenchmark({ params: { id: build.id } }), ended)
  expect(set).toMatchObject({ status: 'succeeded', manifest: { counts: { kept: keep } } })
  const begin = () =>
    evaluation().createEvaluation({ body: { benchmark: build.id, model: 'mutant', samples, seed: 5 } })
  const progress = (id: string) => evaluation().getEvaluation({ params: { id } })
  const resultOf = async (id: string) => {
    expect(await until(() => progress(id), ended)).toMatchObject({ status: 'succeeded' })
    return (await evaluation().getEvaluationReport({ params: { id } })).result
  }

  const disturbed = [(await begin()).id]
  const victims = [
    ...['execution', 'embedded-servers', 'evaluation'],
    ...['scoring', 'translation', 'trace-generation'],
  ]
  const deaths: string[] = []
  for (const name of victims) {
    // On a slow machine one is through before all have died: then the next one suffers the rest.
    if (
      ended(
        await until(
          () => progress(disturbed.at(-1)!),
          ({ status }) => status !== 'queued',
        ),
      )
    )
      disturbed.push((await begin()).id)
    const before = await until(
      () => progress(disturbed.at(-1)!),
      (now) => (now.progress.phase === 'evaluate' && now.progress.done > 0) || ended(now),
    )
    const victim = part(name)
    process.kill(victim.pid, 'SIGKILL')
    while (isAlive(victim)) await sleep(5)
    await sleep(200) // the others notice
    deaths.push(`${name} at ${before.progress.done} of ${before.progress.total}, ${before.status}`)
    await start()
  }
  const results = []
  for (const id of disturbed) results.push(await resultOf(id))
  const result = results[0]!
  console.log(`killed: ${deaths.join('; ')}`)
  expect(deaths.filter((line) => line.endsWith('running')).length).toBeGreaterThanOrEqual(victims.length - 2) // in the middle

  const pairs = result.samples.map((one) => `${one.case} ${one.sample}`)
  expect(new Set(pairs).size).toBe(keep * samples)
  expect(pairs).toHaveLength(keep * samples)
  expect(result.notScored).toBe(0)

  const undisturbed = await resultOf((await begin()).id)
  for (const one of results) {
    // First what tells where they differ, then the bytes.
    expect(one.samples).toEqual(undisturbed.samples)
    expect(JSON.stringify(one)).toBe(JSON.stringify(undisturbed))
  }
})

whenLong('nothing in the logs is a crash of our own', async () => {
  for (const { name, log } of state.parts) {
    const text = await readFile(log, 'utf8').catch(() => '')
    const crashes = text.split('\n').filter((line) => /TypeError|ReferenceError|unhandled/i.test(line))
    expect({ name, crashes }).toEqual({ name, crashes: [] })
  }
})
