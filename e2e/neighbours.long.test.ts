/**
 * Two projects on one installation of each isolation level. While one of them runs programs that leave
 * connections for the next run, the other's programs see their own world only, and its reference passes.
 */
import { afterEach, expect, test } from '@jest/globals'
import { lateConnections } from '@stateeval/attacks/aftermath'
import type {
  BenchmarkFolder,
  BenchmarkResource,
  EvaluationResource,
  Execution,
  Language,
  Report,
} from '@stateeval/contracts'
import type { RunningService } from '@stateeval/service-kit'
import { hasGvisor } from '@stateeval/sandbox-suites/gvisor'
import { inJails, plantFile } from '@stateeval/sandbox-suites/in-jails'
import { pickForRun, startSuite, type Suite, until } from '@stateeval/testkit'
import type { ExecutionContext } from '../services/execution/src/context.ts'

/** How many attackers and honest programs there are at each level. */
const levels = [
  { level: 'warm-jail', count: pickForRun(4, 200) },
  { level: 'process-jail', count: pickForRun(2, 200) },
  ...(hasGvisor ? [{ level: 'gvisor', count: pickForRun(2, 200) }] : []),
]
/** Attackers and honest programs at a time. */
const pairs = 4

let suite: Suite
const keys = {} as Record<'attackers' | 'victims', string>
async function start(level: string) {
  const adminKey = 'an-admin-key-that-is-long-enough-for-a-test'
  suite = await startSuite({
    env: { STATEEVAL_ADMIN_KEY: adminKey, STATEEVAL_SANDBOX: level },
    logLevel: 'error',
  })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  const { access, now } = suite.services['evaluation']!.platform
  for (const id of ['attackers', 'victims'] as const) {
    await access.projects.create({ _id: id, name: id, createdAt: now() })
    const about = { name: 'test', project: id, scopes: ['run' as const], createdAt: now(), createdBy: 'test' }
    keys[id] = (await access.keys.create(about)).text
  }
}
afterEach(() => suite?.stop())

async function send<T>(
  service: string,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${suite.urls[service]}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect([path, response.status, response.ok || text]).toEqual([path, response.status, true])
  return JSON.parse(text) as T
}
async function awaitEnd<T extends { id: string; status: string }>(path: string, body: object): Promise<T> {
  const { id } = await send<T>('evaluation', keys.victims, 'POST', path, body)
  const end = await until(
    async () => {
      const one = await send<T>('evaluation', keys.victims, 'GET', `${path}/${id}`)
      return one.status === 'queued' || one.status === 'running' ? null : one
    },
    { withinMs: 600_000 },
  )
  expect(end.status).toBe('succeeded')
  return end
}

const execute = (key: string, language: Language, code: string) =>
  send<Execution>('execution', key, 'POST', '/v1/executions?wait=60', {
    ...{ language, code, world: 'session-service' },
    inputs: [{ variables: {}, world: { items: [] } }],
  })

/** The late request makes a session, as the victims' own requests could. */
const attacks = lateConnections.map(({ language, code }) => ({
  language,
  code: code.replaceAll('PUT /left', 'POST /api/sessions/lab/settings'),
}))
const honest: Record<Language, string> = {
  javascript: `
await new Promise((resolve) => setTimeout(resolve, 300));
RESULT = (await require('axios').get(BASE_URL + '/api/sessions/lab/settings')).data`,
  python: `
import time, requests
time.sleep(0.3)
RESULT = requests.get(f"{BASE_URL}/api/sessions/lab/settings").json()`,
}

const build = {
  scenario: 'session-service',
  programs: pickForRun(2, 8),
  keep: pickForRun(1, 4),
  length: pickForRun(3, 5),
  seed: 7,
  languages: ['javascript', 'python'],
}
/** Built by the first test of a run; the others import it. */
let folder: BenchmarkFolder | undefined
async function makeSet(): Promise<string> {
  const path = '/v1/benchmarks'
  if (folder)
    return (await send<BenchmarkResource>('evaluation', keys.victims, 'POST', `${path}/import`, folder)).id
  const { id } = await awaitEnd<BenchmarkResource>(path, { build })
  const read = async (name: string) => {
    const headers = { authorization: `Bearer ${keys.victims}` }
    return (await fetch(`${suite.urls['evaluation']}${path}/${id}/files/${name}`, { headers })).text()
  }
  const manifest = JSON.parse(await read('manifest.json')) as BenchmarkFolder['manifest']
  folder = { manifest, cases: await read('cases.jsonl'), readme: await read('README.md') }
  return id
}
async function evaluate(benchmark: string, language: Language): Promise<Report> {
  const request = { benchmark, model: 'reference', language }
  const { id } = await awaitEnd<EvaluationResource>('/v1/evaluations', request)
  return send<Report>('evaluation', keys.victims, 'GET', `/v1/evaluations/${id}/report`)
}

const title =
  '$level: $count attackers touch none of $count programs of another project, and its reference passes'
test.each(levels)(title, async ({ level, count }) => {
  await start(level)
  const set = await makeSet()
  let begun = 0
  const victims: unknown[] = []
  const attack = async () => {
    for (let n = begun++; n < count; n = begun++) {
      const { language, code } = attacks[n % attacks.length]!
      await execute(keys.attackers, language, code)
      const { result } = await execute(keys.victims, language, honest[language])
      const [observation] = result!.observations
      const { ending, world, log, sandbox } = observation!
      victims.push([sandbox, ending, world?.state, log.length])
    }
  }
  const reports: Report[] = []
  const attacked = Promise.all(Array.from({ length: pairs }, attack))
  do {
    reports.push(await evaluate(set, reports.length % 2 === 0 ? 'javascript' : 'python'))
  } while (begun < count || reports.length < 2)
  await attacked

  const alone = [level, { status: 'completed', result: [] }, { items: [] }, 1]
  expect(victims).toEqual(Array.from({ length: count }, () => alone))
  for (const { result, run } of reports) {
    expect(result.overall).toMatchObject({ passed: build.keep, scored: build.keep })
    expect(result.notScored).toBe(0)
    if (level === 'warm-jail') expect(run.canaries).toMatchObject({ touched: 0 })
  }
})

const whenRoot = process.getuid?.() === 0 ? test : test.skip
whenRoot(
  'a planted leftover is found by a canary, its program is repeated, and the report says so',
  async () => {
    await start('warm-jail')
    const set = await makeSet()
    const { sandbox } = (suite.services['execution'] as RunningService<ExecutionContext>).context
    const each = sandbox.each.bind(sandbox)
    let seen: string[] = []
    sandbox.each = async (program, signal, take) => {
      const confirmation = await each(program, signal, (observation, at) => {
        seen.push(observation.sandbox)
        return take(observation, at)
      })
      for (const pid of inJails())
        try {
          plantFile(pid)
        } catch (error) {
          // It has ended meanwhile.
          if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) throw error
        }
      return confirmation
    }
    for (const language of ['javascript', 'python'] as const) {
      seen = []
      const { result, run } = await evaluate(set, language)
      expect(result).toMatchObject({ overall: { passed: build.keep, scored: build.keep }, notScored: 0 })
      expect([...new Set(seen)].sort()).toEqual(['process-jail', 'warm-jail'])
      expect(run.canaries!.touched).toBeGreaterThan(0)
    }
  },
)
