/**
 * A rolling update: evaluations that services of an earlier commit began are ended by today's, while both
 * work side by side, with the result that the earlier ones alone come to. Part of the long tests; needs the
 * commit in the checkout's history (STATEEVAL_UPGRADE_FROM names another one).
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type EvaluationResource, type ServiceName, serviceNames } from '@stateeval/contracts'
import {
  isLong,
  namespace,
  type Servers,
  type ServiceProcess,
  startProcess,
  startServers,
  until,
} from '@stateeval/testkit'
import { failoverCaller } from './chaos/caller.ts'
import { type Outside, prepareWork, startOutside, type Work } from './chaos/work.ts'

const root = join(import.meta.dirname, '..')
/** The last one before messages had versions. */
const commit = process.env['STATEEVAL_UPGRADE_FROM'] ?? '180d860b'
const isKnown = (() => {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
if (isLong && !isKnown)
  console.log(`skipped: the commit ${commit} is not in this checkout; fetch the whole history`)
const whenLong = isLong && isKnown ? test : test.skip

let servers: Servers
let outside: Outside
let folder: string
let env: Record<string, string>
const running: ServiceProcess[] = []

/** The sources of the commit with the packages of today, linked: their own are found at their own places. */
async function checkout(): Promise<string> {
  const target = await mkdtemp(join(tmpdir(), 'stateeval-upgrade-'))
  const shell = `set -e
git archive ${commit} | tar xf - -C "$0"
for modules in node_modules packages/*/node_modules services/*/node_modules; do
  [ -d "$modules" ] && [ -d "$0/$(dirname "$modules")" ] || continue
  cp -al "$modules" "$0/$modules" 2>/dev/null || cp -a "$modules" "$0/$modules"
done`
  await promisify(execFile)('bash', ['-c', shell, target], { cwd: root })
  return target
}

beforeAll(async () => {
  if (!isLong || !isKnown) return
  servers = await startServers()
  outside = await startOutside()
  folder = await checkout()
  const apis = join(folder, 'apis.json')
  await writeFile(apis, JSON.stringify({ facts: { baseUrl: outside.everybody.facts } }))
  env = {
    STATEEVAL_LIVE_APIS_FILE: apis,
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_MODEL_NETWORKS: 'loopback',
    STATEEVAL_GRACE_SECONDS: '2',
    LOG_LEVEL: 'warn',
  }
})
afterAll(async () => {
  await Promise.all(running.map((one) => one.kill()))
  await outside?.close()
  await servers?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const start = async (service: ServiceName, from: string) => {
  const register = pathToFileURL(join(from, 'packages/testkit/src/dialogue/register.ts')).href
  const isKnowing = service === 'evaluation' || service === 'scoring'
  const started = await startProcess(
    service,
    { ...env, ...(isKnowing && { NODE_OPTIONS: `--import=${register}` }) },
    () => undefined,
    from,
  )
  running.push(started)
  return [service, started] as const
}
const startAll = async (from: string) =>
  new Map(await Promise.all(serviceNames.map((service) => start(service, from))))

whenLong('evaluations in flight survive the update of every service, old and new side by side', async () => {
  const old = await startAll(folder)
  let urls = [old.get('evaluation')!.url]
  const caller = failoverCaller(() => urls)
  // They must last longer than services take to start.
  const work: Work = await prepareWork(caller, outside, { samples: 10 })
  const kinds = ['programs', 'answers', 'dialogues'] as const
  const expected = await Promise.all(kinds.map(async (kind) => (await work.evaluate(kind)).text))
  for (const text of expected) expect(text).toMatch(/^\{/)

  const begun = await Promise.all(kinds.map((kind) => work.begin(kind)))
  const progress = async () =>
    Promise.all(begun.map((id) => caller.call<EvaluationResource>('GET', `/v1/evaluations/${id}`)))
  const isUnderWay = async () => (await progress()).some(({ status }) => status === 'running')
  await until(async () => (await progress()).some(({ progress: { done } }) => done > 0))
  const renewed = await startAll(root)
  urls = [...urls, renewed.get('evaluation')!.url]
  const events: string[] = [
    `begun by ${commit}; all beside each other: ${(await isUnderWay()) ? 'under way' : 'ended'}`,
  ]
  // Each old one is told to stop when the new one is ready, as in a rolling update.
  for (const [service, one] of old) {
    if (service === 'evaluation') urls = urls.slice(1)
    expect(await one.stop()).toBe(0)
    events.push(`${service} stopped: ${(await isUnderWay()) ? 'under way' : 'ended'}`)
  }
  console.log(events.join('; '))
  expect(await Promise.all(begun.map(async (id) => (await work.result(id)).text))).toEqual(expected)
  // What the earlier services stored is read by today's alone.
  expect(await Promise.all(kinds.map(async (kind) => (await work.evaluate(kind)).text))).toEqual(expected)
})
