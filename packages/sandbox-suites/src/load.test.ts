/**
 * No verdict changes when four and eight times as many programs run at once as there are cores, and at eight
 * while a process on each core computes: real sandbox, real worlds. Runs with STATEEVAL_LONG=1: 500 programs,
 * or as many as STATEEVAL_PROGRAMS says.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Observation } from '@stateeval/contracts'
import { makeBenchmarkWorlds } from '@stateeval/benchmarks/backends'
import {
  completeLimits,
  createNoWorld,
  createSandbox,
  type LocalSandbox,
  type SandboxWorld,
} from '@stateeval/sandbox'
import { makeWorlds } from '@stateeval/scenarios/backends'
import { isLong, namespace, type Servers, startServers } from '@stateeval/testkit'
import { type MixedProgram, mixedPrograms } from './mixed-programs.ts'

if (!isLong) console.info('skipped: programs at eight times the cores: scripts/test --long does it')
const whenLong = isLong ? test : test.skip
const cores = availableParallelism()
const rounds = [
  { times: 4, hogs: 0 },
  { times: 8, hogs: 0 },
  { times: 8, hogs: cores },
]
const maxRuns = Math.max(...rounds.map(({ times }) => times)) * cores
let servers: Servers
let sandbox: LocalSandbox
let worlds: SandboxWorld[]
let repeated = 0
beforeAll(async () => {
  if (!isLong) return
  servers = await startServers()
  // As many at a time as are asked for: the queue that spares a machine is out of the way.
  const telemetry = { phase: () => {}, bailed: () => {}, ended: () => {}, repeated: () => repeated++ }
  sandbox = await createSandbox({ concurrency: maxRuns, maxIdle: Math.ceil(maxRuns / 2), telemetry })
  const host = { mongodb: servers.mongoUri, namespace: namespace(), concurrency: maxRuns, settings: {} }
  worlds = [...makeWorlds(host), ...makeBenchmarkWorlds(host), createNoWorld()]
})
afterAll(async () => {
  await sandbox?.close()
  await Promise.all((worlds ?? []).map((world) => world.close()))
  await servers?.stop()
})

async function run({ language, code, inputs, limits, world }: MixedProgram): Promise<string> {
  const sandboxWorld = worlds.find(({ id }) => id === world)!
  const observations = await sandbox.run(
    { language, code, inputs, world: sandboxWorld, limits: completeLimits(limits) },
    new AbortController().signal,
  )
  return observations.map(verdictText).join('\n')
}
/** All that a verdict may rest on; ids that the world issued are new in every run. */
function verdictText({ wallMs: _, seed: __, ...rest }: Observation): string {
  const text = JSON.stringify({
    ...rest,
    log: rest.log.map(({ method, path, status }) => [method, path, status]),
  })
  return (rest.world?.ids.created ?? []).reduce(
    (result, id, index) => result.replaceAll(id, `<created ${index}>`),
    text,
  )
}

/** So many at a time, in the order of the list. */
async function all(programs: readonly MixedProgram[], atATime: number): Promise<string[]> {
  const texts: string[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < programs.length; at = next++) texts[at] = await run(programs[at]!)
  }
  await Promise.all(Array.from({ length: atATime }, worker))
  return texts
}

whenLong('endings, results, worlds and logs are those of a quiet machine', async () => {
  const programs = mixedPrograms(Number(process.env['STATEEVAL_PROGRAMS'] ?? 500)).filter(({ language }) =>
    sandbox.languages.includes(language),
  )
  const alone = await all(programs, 1)
  expect(alone.filter((text) => text.includes('"infrastructure"'))).toEqual([])
  for (const { times, hogs } of rounds) {
    repeated = 0
    const others = Array.from({ length: hogs }, () => spawn(process.execPath, ['-e', 'for (;;);']))
    const together = await all(programs, times * cores).finally(() => others.forEach((hog) => hog.kill()))
    const moved = programs.flatMap(({ name }, n) =>
      together[n] === alone[n] ? [] : [{ name, alone: alone[n], together: together[n] }],
    )
    console.log(
      `${programs.length} programs, ${times * cores} at a time beside ${hogs} others: ${repeated} repeated alone, ${moved.length} verdicts moved`,
    )
    expect(moved).toEqual([])
  }
})
