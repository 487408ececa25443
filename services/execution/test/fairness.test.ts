/**
 * Nobody’s few programs stand behind somebody’s many: one place to run, and what runs meanwhile is counted,
 * not timed.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Execution, type ExecutionRequest, subjects } from '@stateeval/contracts'
import { type RunningService, startService } from '@stateeval/service-kit'
import { namespace, patience, type Servers, startServers, until } from '@stateeval/testkit'
import { execution } from '@stateeval/service-execution'

/** As many in a batch as may be, and so many batches. */
const [size, batches] = [100, 3]
const many = size * batches
const few = 5
/** Each of the many takes so long that half of them take a minute, more on a slow machine. */
const program = (code: string): ExecutionRequest => ({
  language: 'javascript',
  code,
  world: 'none',
  inputs: [{ variables: {}, world: {} }],
  limits: { wallMs: 60_000 },
})

let servers: Servers
let service: RunningService
beforeAll(async () => {
  servers = await startServers()
  const env = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    PORT: '0',
    LOG_LEVEL: 'silent',
    STATEEVAL_CONCURRENCY: '1',
  }
  service = await startService(execution, { env })
  await service.platform.bus.ready()
})
afterAll(async () => {
  await service?.stop()
  await servers?.stop()
})

test('jobs of an evaluation, and who waits for one program, don’t wait for large batches', async () => {
  const { app, platform } = service
  const payload = {
    batch: Array.from({ length: size }, (_, n) =>
      program(`await new Promise((go) => setTimeout(go, ${patience(400)})); RESULT = ${n}`),
    ),
  }
  const sent = await Promise.all(
    Array.from({ length: batches }, () => app.inject({ method: 'POST', url: '/v1/executions', payload })),
  )
  expect(sent.flatMap(({ statusCode, body }) => (statusCode === 202 ? [] : [body]))).toEqual([])
  const links = sent.map((response) => response.json<Execution>().links)
  const progress = async () => {
    const responses = await Promise.all(links.map(({ self }) => app.inject({ url: self })))
    return responses.reduce((sum, response) => sum + response.json<Execution>().progress.done, 0)
  }
  expect(await progress()).toBeLessThan(many / 2)

  const jobs = Array.from({ length: few }, (_, n) => `fair-${n}`)
  for (const id of jobs) await platform.send(subjects.execute, { id, value: program('RESULT = 1') })
  for (const id of jobs)
    expect(await until(() => platform.outcomes.find(id))).toMatchObject({
      status: 'done',
    })
  const waited = await app.inject({
    method: 'POST',
    url: '/v1/executions?wait=60',
    payload: program('RESULT = 1'),
  })
  expect(waited.json<Execution>().status).toBe('succeeded')

  expect(await progress()).toBeLessThan(many / 2)
  await Promise.all(links.map(({ cancel }) => app.inject({ method: 'POST', url: cancel! })))
})
