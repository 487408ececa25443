/** No verdict changes when eight times as many programs run at once as there are cores: real sandbox, real worlds. */
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ExecutionRequest, Observation } from '@stateeval/contracts'
import { createSandbox, completeLimits, type LocalSandbox, type World } from '@stateeval/sandbox'
import { makeWorlds } from '@stateeval/scenarios/backends'
import { namespace, type Servers, startServers } from '@stateeval/testkit'

const many = 8 * availableParallelism()
let servers: Servers
let sandbox: LocalSandbox
let world: World
beforeAll(async () => {
  servers = await startServers()
  // As many at a time as are asked for: the queue that spares a machine is out of the way.
  sandbox = await createSandbox({ concurrency: many })
  world = makeWorlds({ 'session-service': { mongodb: servers.mongoUri, prefix: namespace(), poolSize: many } })[0] as World
}, 200_000)
afterAll(async () => {
  await sandbox?.close()
  await world?.close()
  await servers?.stop()
})

const item = (theme: string) => ({ source: 'web', type: 'settings', data: { theme } })
const axios = "const axios = require('axios');"
const url = '`${BASE_URL}/api/sessions/web/settings`'
/** One of each kind of ending. */
const programs = [
  `${axios} await axios.post(${url}, { n: 1 }); RESULT = (await axios.get(${url})).data.map(({ data }) => data)`,
  `${axios} const all = (await axios.get(${url})).data; for (const { id } of all) await axios.delete(\`\${${url}}/\${id}\`); RESULT = { gone: all.length, n: 1 }`,
  `${axios}\nawait axios.get(BASE_URL + '/nowhere/1')`,
  `console.log(1); RESULT = { a: NaN }`,
  'const = 1',
  `RESULT = 1; while (true);`,
  "RESULT = 'x'.repeat(3000)",
]
const limits = completeLimits({ wallMs: 60_000, cpuSeconds: 1, resultKiB: 2 })

async function run(code: string): Promise<string> {
  const inputs: ExecutionRequest['inputs'] = ['dark', 'light'].map((theme) => ({ variables: {}, world: { items: [item(theme)] } }))
  const observations = await sandbox.run({ language: 'javascript', code, inputs, world, limits }, new AbortController().signal)
  return observations.map(told).join('\n')
}
/** All that a verdict may rest on; ids that the world issued are new in every run. */
function told({ wallMs: _, ...rest }: Observation): string {
  const text = JSON.stringify({ ...rest, log: rest.log.map(({ method, path, status }) => [method, path, status]) })
  return (rest.world?.ids.created ?? []).reduce((known, id, index) => known.replaceAll(id, `<created ${index}>`), text)
}

test('endings, results, worlds and logs are those of a quiet machine', async () => {
  const alone: string[] = []
  for (const code of programs) alone.push(await run(code))
  expect(alone.filter((text) => text.includes('"infrastructure"'))).toEqual([])
  const together = await Promise.all(Array.from({ length: many }, async (_, n) => run(programs[n % programs.length] as string)))
  expect(together).toEqual(together.map((_, n) => alone[n % alone.length]))
}, 180_000)
