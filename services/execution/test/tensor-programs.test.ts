/** Replicas with a GPU take programs with tensors and nothing else; the others never wait for them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Execution, type MissingProviders, questions, subjects } from '@stateeval/contracts'
import { scenarios } from '@stateeval/scenarios'
import { type RunningService, startService } from '@stateeval/service-kit'
import { namespace, type Servers, startServers, until } from '@stateeval/testkit'
import { execution } from '@stateeval/service-execution'
import type { ExecutionContext } from '../src/context.ts'

let servers: Servers
const replicas: RunningService[] = []
let env: Record<string, string | undefined>
const start = async (STATEEVAL_TENSOR_PROGRAMS: string) => {
  const replica = await startService(execution, { env: { ...env, STATEEVAL_TENSOR_PROGRAMS } })
  replicas.push(replica)
  await replica.platform.bus.ready()
  return replica
}
beforeAll(async () => {
  servers = await startServers()
  env = { ...servers.env, STATEEVAL_NAMESPACE: namespace(), PORT: '0', LOG_LEVEL: 'silent' }
})
afterAll(async () => {
  for (const replica of replicas) await replica.stop(1000)
  await servers?.stop()
})

const tensors = {
  language: 'javascript',
  world: 'tensor-operation',
  code: 'RESULT = a.add(a)',
  inputs: [
    {
      variables: { a: { $tensor: { dtype: 'float32', shape: [1], data: 'AAAAQA==' } } },
      world: { elements: 64 },
    },
  ],
}
const others = {
  language: 'javascript',
  world: 'none',
  code: 'RESULT = 4',
  inputs: [{ variables: {}, world: null }],
}
const post = async ({ app }: RunningService, payload: object) =>
  (await app.inject({ method: 'POST', url: '/v1/executions?wait=1', payload })).json<Execution>()
const status = async ({ app }: RunningService, { id }: Execution) =>
  (await app.inject({ url: `/v1/executions/${id}` })).json<Execution>().status
const ended = (replica: RunningService, one: Execution) =>
  until(async () => (await status(replica, one)) === 'succeeded')

test('each kind of replica takes its programs from the queue, also over HTTP', async () => {
  const plain = await start('none')
  const waiting = await post(plain, tensors)
  expect(waiting.status).toBe('queued')
  // Nobody takes programs with tensors, and others run.
  await ended(plain, await post(plain, others))
  expect(await plain.platform.bus.queue(subjects.tensorsAsked)).toMatchObject({ waiting: 1, isTaken: false })
  expect(await plain.platform.bus.ask(questions.providers)).toBeUndefined()

  const gpu = await start('only')
  await ended(plain, waiting)
  const missing = (await plain.platform.bus.ask(questions.providers, 60_000)) as MissingProviders
  expect(missing.javascript).not.toHaveProperty('cpu')
  expect(missing.python.webgpu).toMatch(/^PyTorch does not support webgpu/)
  // What the GPU’s replica is asked to do for others, they do.
  await ended(gpu, await post(gpu, others))
  const { body } = await gpu.app.inject({ url: '/metrics' })
  expect(new Set(body.match(/(?<=^stateeval_jobs_total\{.*kind=")[^"]+/gm))).toEqual(
    new Set(['execution.tensors-asked']),
  )
})

test('scenarios say of their worlds whether they compute tensors', () => {
  const { worlds } = replicas[0]!.context as ExecutionContext
  for (const scenario of scenarios) {
    const world = worlds.find(({ id }) => id === scenario.world)
    expect([scenario.id, scenario.tensors ?? false]).toEqual([scenario.id, world!.tensors !== undefined])
  }
})
