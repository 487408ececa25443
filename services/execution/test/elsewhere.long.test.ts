/**
 * A program whose tensors one replica has too little memory for is run by another replica; where there is
 * none, it ends as an infrastructure error with the reason.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Execution, Observation } from '@stateeval/contracts'
import { type RunningService, startService } from '@stateeval/service-kit'
import { namespace, type Servers, startServers, until } from '@stateeval/testkit'
import { execution } from '@stateeval/service-execution'

let servers: Servers
const replicas: RunningService[] = []
const start = async (env: Record<string, string> = {}) => {
  const all = { ...shared, ...env }
  const replica = await startService(execution, { env: all, sweepEveryMs: 1000 })
  replicas.push(replica)
  await replica.platform.bus.ready()
  return replica
}
let shared: Record<string, string | undefined>
beforeAll(async () => {
  servers = await startServers()
  shared = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    PORT: '0',
    LOG_LEVEL: 'silent',
    STATEEVAL_GRACE_SECONDS: '5',
  }
})
afterAll(async () => {
  for (const replica of replicas) await replica.stop()
  await servers?.stop()
})

/** 277 MiB of tensors in one graph. */
const request = {
  language: 'javascript',
  world: 'tensor-operation',
  code: 'let sum = a\nfor (let n = 0; n < 200; n++) sum = sum.add(a)\nRESULT = sum',
  inputs: [
    {
      variables: { a: { $tensor: { dtype: 'float32', shape: [3, 300, 400], seed: 'tensor.7.9' } } },
      world: { elements: 10_000_000 },
    },
  ],
}
const observed = async ({ app }: RunningService, key: string): Promise<Observation> => {
  const headers = { 'idempotency-key': key }
  const created = await app.inject({ method: 'POST', url: '/v1/executions', headers, payload: request })
  const { id } = created.json<Execution>()
  const ended = await until(async () => {
    const now = (await app.inject({ url: `/v1/executions/${id}` })).json<Execution>()
    return now.status === 'queued' || now.status === 'running' ? null : now
  })
  return ended.result!.observations[0]!
}
const jobs = async ({ app }: RunningService, outcome: string) => {
  const { body } = await app.inject({ url: '/metrics' })
  const line = new RegExp(`^stateeval_jobs_total\\{.*outcome="${outcome}".*\\} (\\d+)`, 'm')
  return Number(line.exec(body)?.[1] ?? 0)
}

test('another replica with the memory runs it; where none has it, that is a limit of the run', async () => {
  const small = await start({ STATEEVAL_TENSOR_MIB: '256' })
  expect((await observed(small, 'alone')).ending).toEqual({
    status: 'killed',
    by: 'memory',
    detail: expect.stringMatching(/take 277 MiB, and graphs may take 256 here/),
  })
  expect(await jobs(small, 'moved')).toBe(1)
  const large = await start()
  for (let n = 0; n === 0 || (await jobs(small, 'moved')) < 2; n++)
    expect((await observed(small, `run-${n}`)).ending).toMatchObject({ status: 'completed' })
  expect(await jobs(large, 'done')).toBeGreaterThan(0)
})
