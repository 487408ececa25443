/** kill -9 in the middle of a translation: its successor ends it with the same instructions. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Translation } from '@stateeval/contracts'
import { generate } from '@stateeval/generate'
import { scenarios } from '@stateeval/scenarios'
import {
  isLong,
  namespace,
  type Servers,
  type ServiceProcess,
  startProcess,
  startServers,
  until,
} from '@stateeval/testkit'

// Short runs kill each service in e2e/chaos.
const whenLong = isLong ? test : test.skip
let servers: Servers
let service: ServiceProcess
beforeAll(async () => {
  servers = await startServers()
  service = await startProcess('translation', {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    LOG_LEVEL: 'error',
  })
})
afterAll(async () => {
  await service?.kill()
  await servers?.stop()
})

const options = {
  count: 40,
  length: 5,
  seed: 3,
  strategy: 'random',
  controlFlow: true,
  observable: false,
  secondWorlds: false,
  apis: [],
  pairs: 'states',
} as const
const some = [...generate(scenarios[0]!, options)].map(({ program }) => program)
const programs = Array.from({ length: 5 }, () => some).flat()

async function talk(path: string, body?: unknown): Promise<Translation> {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return (await (await fetch(`${service.url}${path}`, init)).json()) as Translation
}
async function ended(path: string): Promise<Translation> {
  const now = async () => {
    const one = await talk(path)
    return one.status === 'queued' || one.status === 'running' ? null : one
  }
  return until(now)
}

whenLong('a translation whose service is killed ends as one that was left alone', async () => {
  const cut = await talk('/v1/translations', { programs })
  await until(async () => (await talk(cut.links['self']!)).status === 'running', { everyMs: 5 })
  await service.kill()
  await service.start()
  const alone = await talk('/v1/translations', { programs })
  const [one, two] = [await ended(cut.links['self']!), await ended(alone.links['self']!)]
  expect([one.status, one.translations.length]).toEqual(['succeeded', programs.length])
  expect(one.translations).toEqual(two.translations)
})
