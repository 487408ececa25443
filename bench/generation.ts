/**
 * Programs a second: generated alone, and with oracles from replays in the sandbox; tensor programs side by side with
 * NNSmith's symbolic generator. Options: --count N (2000, without replays), --replays N (150), --seconds N (10, for NNSmith).
 */
import { join } from 'node:path'
import { defaultOptions, generate } from '@stateeval/generate'
import type { Scenario } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { makeWorlds } from '@stateeval/scenarios/backends'
import { namespace, startServers } from '@stateeval/testkit'
import { replayed } from './generation/replay.ts'
import { askPeer } from './peers/python.ts'
import type { Bench, BenchPart } from './result.ts'

const length = 5
/** Programs a second that are aimed at: without replays on one core, with replays on two. */
const aims: Record<string, { alone: number; replayed?: number }> = {
  'session-service': { alone: 2000, replayed: 20 },
  'elevenlabs-mcp': { alone: 2000, replayed: 60 },
  'tensor-operation': { alone: 500 },
}
/** NNSmith's, from the paper of its peers: we are to be so many times faster. */
const timesNNSmith = 25

interface Alone {
  perSecond: number
  /** The most heap in use while the programs went by, in MiB. */
  heapMiB: number
}

/** One process, one thread; programs are dropped as they come. */
function alone(scenario: Scenario, count: number, seed: number): Alone {
  let most = 0
  const begun = performance.now()
  for (const { index } of generate(scenario, { ...defaultOptions, count, length, seed }))
    if (index % 250 === 0) most = Math.max(most, process.memoryUsage().heapUsed)
  return { perSecond: count / ((performance.now() - begun) / 1000), heapMiB: most / 2 ** 20 }
}

export async function run(options: string[]): Promise<Bench> {
  const option = (name: string, otherwise: number) => Number(options[options.indexOf(name) + 1]) || otherwise
  const count = option('--count', 2000)
  const parts: BenchPart[] = []
  const notes: string[] = []

  const measured = new Map<string, Alone[]>()
  for (const scenario of scenarios) {
    alone(scenario, 200, 99)
    const runs = [1, 2, 3].map((seed) => alone(scenario, count, seed))
    measured.set(scenario.id, runs)
    const rates = runs.map(({ perSecond }) => perSecond)
    const aim = aims[scenario.id]?.alone
    parts.push({
      name: `${scenario.id}, without replays (peer: what is aimed at)`,
      unit: 'programs/s',
      ours: middle(rates),
      spread: Math.max(...rates) - Math.min(...rates),
      ...(aim !== undefined && { peer: aim, ratio: middle(rates) / aim, aim: 1 }),
    })
  }
  const smith = await askPeer<{ version: string; perSecond: number; graphs: number; operators: number }>(
    'nnsmith',
    ['nnsmith==0.1.0'],
    join(import.meta.dirname, 'generation/symbolic.py'),
    { seconds: option('--seconds', 10), nodes: length },
  )
  if (typeof smith === 'string') notes.push(`NNSmith could not be run here: ${smith}`)
  else {
    const ours = middle((measured.get('tensor-operation') ?? []).map(({ perSecond }) => perSecond))
    parts.push({
      name: 'tensor-operation beside NNSmith, symbolic',
      unit: 'programs/s',
      ours,
      peer: smith.perSecond,
      ratio: ours / smith.perSecond,
      aim: timesNNSmith,
    })
    notes.push(
      `NNSmith ${smith.version} made ${smith.graphs} graphs with ${smith.operators.toFixed(1)} operators in the mean, from the operators nearest to ours; its programs are straight, ours branch.`,
    )
  }

  const servers = await startServers()
  const worlds = makeWorlds({ 'session-service': { mongodb: servers.mongoUri, prefix: namespace(), poolSize: 4 } })
  try {
    for (const scenario of scenarios) {
      const world = worlds.find(({ id }) => id === scenario.world)
      if (!world) throw new Error(`there is no world ${scenario.world}`)
      const { perSecond, programs, runs, differing, runMs } = await replayed(scenario, world, { count: option('--replays', 150), lanes: 4 })
      const aim = aims[scenario.id]?.replayed
      parts.push({
        name: `${scenario.id}, with replayed oracles (peer: what is aimed at)`,
        unit: 'programs/s',
        ours: perSecond,
        ...(aim !== undefined && { peer: aim, ratio: perSecond / aim, aim: 1 }),
      })
      notes.push(
        `- ${scenario.id}: ${programs} programs in ${runs} runs, ${runMs.toFixed(1)} ms a run with four at a time; ${differing} differed from the prediction`,
      )
    }
  } finally {
    await Promise.all(worlds.map((world) => world.close()))
    await servers.stop()
  }
  const heaps = [...measured].map(([id, runs]) => `${id} ${Math.max(...runs.map(({ heapMiB }) => heapMiB)).toFixed(0)} MiB`)
  notes.push(`Most heap in use while ${count} programs went by: ${heaps.join(', ')}.`)
  return { about: `Programs of ${length} calls a second, strategy planned.`, parts, notes: notes.join('\n') }
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
