/**
 * Programs a second: generated alone by each strategy, and with oracles from replays in the sandbox; tensor
 * programs side by side with NNSmith's symbolic generator. Options: --count N (2000 a round, without
 * replays), --rounds N (5), --replays N (150), --seconds N (10, for NNSmith with each choice of operators).
 */
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { strategyIds } from '@stateeval/generate'
import { scenarios } from '@stateeval/scenarios'
import { makeWorlds } from '@stateeval/scenarios/backends'
import { namespace, startServers } from '@stateeval/testkit'
import { replayed } from './generation/replay.ts'
import { length, type Rounds, rounds } from './generation/rounds.ts'
import { askPeer } from './peers/python.ts'
import type { Bench, BenchPart } from './result.ts'

/**
 * Programs a second that are aimed at: drawn without filters and replays on one core; with filter and
 * replays, on the paper's two inputs, on two.
 */
const aims: Record<string, { alone: number; replayed?: number }> = {
  'session-service': { alone: 2000, replayed: 20 },
  'elevenlabs-mcp': { alone: 2000, replayed: 60 },
  'tensor-operation': { alone: 500 },
}
/** NNSmith's, from the paper of its peers: we are to be so many times faster. */
const timesNNSmith = 25

interface Peer {
  perSecond: number
  slowest: number
  fastest: number
  graphs: number
  /** Of a graph, in the mean. */
  operators: number
}

export async function run(options: string[]): Promise<Bench> {
  const option = (name: string, otherwise: number) => Number(options[options.indexOf(name) + 1]) || otherwise
  const [count, times] = [option('--count', 2000), option('--rounds', 5)]
  const parts: BenchPart[] = []
  const notes: string[] = []
  const loadBefore = loadavg()[0] as number

  const roundsByName = new Map<string, Rounds>()
  for (const scenario of scenarios)
    for (const strategy of strategyIds) {
      const strategyRounds = rounds(scenario, strategy, { count, times })
      roundsByName.set(`${scenario.id} ${strategy}`, strategyRounds)
      parts.push({
        name: `${scenario.id}, ${strategy}, without replays`,
        unit: 'programs / CPU s',
        ours: strategyRounds.perSecond,
        spread: strategyRounds.fastest - strategyRounds.slowest,
      })
      const aim = strategy === 'planned' ? aims[scenario.id]?.alone : undefined
      if (aim === undefined) continue
      const speed = rounds(scenario, strategy, { count, times, filters: false })
      parts.push({
        name: `${scenario.id}, ${strategy}, without replays and filters (peer: the target)`,
        unit: 'programs / CPU s',
        ours: speed.perSecond,
        spread: speed.fastest - speed.slowest,
        peer: aim,
        ratio: speed.perSecond / aim,
        aim: 1,
      })
    }
  const smith = await askPeer<{ version: string } & Record<'nearest' | 'all', Peer>>(
    'nnsmith',
    ['nnsmith==0.1.0'],
    join(import.meta.dirname, 'generation/symbolic.py'),
    { seconds: option('--seconds', 10), nodes: length, rounds: times },
  )
  if (typeof smith === 'string') notes.push(`NNSmith could not be run here: ${smith}`)
  else
    for (const [peer, operators, aim] of [
      [smith.nearest, 'the operators nearest to ours', timesNNSmith],
      // Most including work element by element, and leave the solver little to do.
      [smith.all, 'all of its operators', undefined],
    ] as const) {
      for (const strategy of strategyIds) {
        const { perSecond: ours } = roundsByName.get(`tensor-operation ${strategy}`) as Rounds
        parts.push({
          name: `tensor-operation, ${strategy}, next to NNSmith, symbolic, with ${operators}`,
          unit: 'programs / CPU s',
          ours,
          peer: peer.perSecond,
          ratio: ours / peer.perSecond,
          ...(strategy === 'planned' && aim !== undefined && { aim }),
        })
      }
      notes.push(
        `- NNSmith ${smith.version}, with ${operators}: ${peer.graphs} graphs of ${peer.operators.toFixed(1)} operators on average, ${peer.slowest.toFixed(1)} to ${peer.fastest.toFixed(1)} per CPU second; its programs are straight, while StateEval’s branch and have ${length} calls on every path`,
      )
    }
  notes.push(
    `Without replays: the median of ${times} rounds of ${count} programs, each from the first program of its generation on; processor time of all threads, spread from the slowest round to the fastest.`,
  )

  const servers = await startServers()
  const worlds = makeWorlds({
    mongodb: servers.mongoUri,
    namespace: namespace(),
    concurrency: 4,
    settings: {},
  })
  try {
    for (const scenario of scenarios) {
      const world = worlds.find(({ id }) => id === scenario.world)
      if (!world) throw new Error(`there is no world ${scenario.world}`)
      for (const secondWorlds of [false, true]) {
        const inputs = secondWorlds ? 'each path in two worlds' : 'the two inputs of the paper'
        const { perSecond, programs, runs, differing, runMs, cpu } = await replayed(scenario, world, {
          count: option('--replays', 150),
          workers: 4,
          secondWorlds,
        })
        const aim = secondWorlds ? undefined : aims[scenario.id]?.replayed
        parts.push({
          name: `${scenario.id}, with replayed oracles, ${inputs}${aim === undefined ? '' : ' (peer: the target)'}`,
          unit: 'programs/s',
          ours: perSecond,
          ...(aim !== undefined && { peer: aim, ratio: perSecond / aim, aim: 1 }),
        })
        notes.push(
          `- ${scenario.id}, ${inputs}: ${programs} programs in ${runs} runs, ${runMs.toFixed(1)} ms a run with four at a time; ${differing} differed from the prediction; processor time of a run ${(cpu.asking + cpu.jails + cpu.servers).toFixed(1)} ms, including ${cpu.asking.toFixed(1)} in the process that generates, calls and serves the world, ${cpu.jails.toFixed(1)} in jails, ${cpu.servers.toFixed(1)} in the embedded servers`,
        )
      }
    }
  } finally {
    await Promise.all(worlds.map((world) => world.close()))
    await servers.stop()
  }
  const growths = [...roundsByName].map(([name, { growthMiB }]) => `${name} ${growthMiB.toFixed(0)} MiB`)
  notes.push(`Maximum growth of the live heap during ${count} programs: ${growths.join(', ')}.`)
  const loadAfter = loadavg()[0] as number
  notes.push(
    `Load average of the machine: ${loadBefore.toFixed(1)} before the first round, ${loadAfter.toFixed(1)} after the last replay. On a busy machine, programs per second are not meaningful, and programs per CPU second are low.`,
  )
  return { about: `Programs of ${length} calls a second.`, parts, notes: notes.join('\n') }
}
