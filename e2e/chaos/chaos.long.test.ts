/**
 * Faults of every kind while evaluations of programs and dialogues run, and builds: each ends with the result
 * of an undisturbed one. Runs with STATEEVAL_LONG=1: 200 faults are drawn from a seed
 * (STATEEVAL_CHAOS_SEED, STATEEVAL_CHAOS_FAULTS for others), and a table says what happened. In short,
 * `e2e/dialogue` kills every service.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { failoverCaller } from './caller.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { injector } from './inject.ts'
import { watchMessages } from './messages.ts'
import { planOf } from './plan.ts'
import { type Happened, tableOf } from './table.ts'
import {
  type EvaluationKind,
  keepWorking,
  type Outside,
  prepareWork,
  startOutside,
  type Work,
} from './work.ts'

const isLong = process.env['STATEEVAL_LONG'] === '1'
if (!isLong) console.info('skipped: faults of every kind: scripts/test --long does it')
const whenLong = isLong ? test : test.skip
const seed = process.env['STATEEVAL_CHAOS_SEED'] ?? '1'
const faults = Number(process.env['STATEEVAL_CHAOS_FAULTS'] ?? 200)
const replicas = 2

let outside: Outside
let cluster: Cluster
let work: Work
const crashes: string[] = []

beforeAll(async () => {
  if (!isLong) return
  outside = await startOutside()
  cluster = await startCluster({
    replicas,
    facts: outside.everybody.facts,
    smallDisks: true,
    onLog: (replica, text) => {
      for (const line of text.split('\n')) {
        if (/TypeError|ReferenceError|unhandled/i.test(line)) crashes.push(`${replica}: ${line}`)
        if (process.env['STATEEVAL_CHAOS_LOG'] && line) console.error(`${replica} ${line.slice(0, 400)}`)
      }
    },
  })
  work = await prepareWork(
    failoverCaller(() => cluster.urls('evaluation')),
    outside,
  )
})
afterAll(async () => {
  await cluster?.stop()
  await outside?.close()
})

/** Results without a fault, by kind. */
const undisturbed = async (kinds: readonly EvaluationKind[]) => {
  const texts = await Promise.all(kinds.map(async (kind) => [kind, (await work.evaluate(kind)).text]))
  for (const [, text] of texts) expect(text).toMatch(/^\{/)
  return Object.fromEntries(texts) as Partial<Record<EvaluationKind, string>>
}

/** Builds under faults against those of services that nobody disturbs, in a namespace of their own. */
async function compareBuilds({ builtSets, differences }: ReturnType<typeof keepWorking>) {
  const calm = await startCluster({ replicas: 1, facts: outside.everybody.facts, smallDisks: false })
  try {
    const { build } = await prepareWork(
      failoverCaller(() => calm.urls('evaluation')),
      outside,
    )
    for (const [seed, { id, text }] of builtSets) {
      const expected = (await build(seed)).text
      if (text !== expected) differences.push({ kind: 'builds', id, expected, actual: text })
    }
  } finally {
    await calm.stop()
  }
}

whenLong(`${faults} faults`, async () => {
  const expected = await undisturbed(['programs', 'answers', 'dialogues'])
  const messages = await watchMessages(cluster.natsUrl, cluster.namespace)
  const inject = injector(cluster, messages)
  const working = keepWorking(work, expected)
  const happened: Happened[] = []
  const recoveries: Promise<void>[] = []
  // Some hit nothing, such as a replica that is down: more are drawn than have to hit.
  const hitSoFar = () => happened.filter(({ hit, recoveredMs }) => hit && recoveredMs !== undefined).length
  for (const { fault, alone, gapMs } of planOf(seed, 2 * faults, replicas)) {
    if (hitSoFar() >= faults) break
    const one: Happened = { kind: fault.kind, hit: true }
    happened.push(one)
    const suffer = async () => {
      const { hit, count, recovered } = await inject(fault)
      Object.assign(one, { hit, ...(count !== undefined && { count }) })
      one.recoveredMs = await recovered
    }
    recoveries.push(
      suffer().catch((error: unknown) =>
        console.log(`no recovery from ${JSON.stringify(fault)}: ${String(error)}`),
      ),
    )
    if (alone) await Promise.all(recoveries)
    await sleep(gapMs)
    if (happened.length % 20 === 0)
      console.log(
        `${happened.length} faults; ended: ${JSON.stringify(working.ended)}; different: ${working.differences.length}`,
      )
  }
  await Promise.all(recoveries)
  await working.stop()
  await messages.close()
  await compareBuilds(working)
  const hits = happened.filter(({ hit }) => hit)
  console.log(
    `Seed ${seed}, ${replicas} replicas of each service.\n${tableOf(happened)}\n` +
      `Ended meanwhile: ${JSON.stringify(working.ended)}; different from the undisturbed: ${working.differences.length}`,
  )
  expect(hits.filter(({ recoveredMs }) => recoveredMs === undefined)).toEqual([])
  expect(working.differences).toEqual([])
  expect(crashes).toEqual([])
})
