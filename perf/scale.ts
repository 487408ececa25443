/**
 * `npm run perf -- scale [--short]`: one evaluation with 1, 2 and 4 execution replicas, each held to a part
 * of a core; then a simulation with the costs that were measured, which says what N nodes do and which part
 * saturates next. Writes docs/scaling.md. About six minutes on two quiet cores; with --short (40 samples
 * each) two.
 */
import { cpus, loadavg } from 'node:os'
import { startServers } from '@stateeval/testkit'
import type { Bench } from './result.ts'
import { measureScale } from './scale/measure.ts'
import { meanCosts, measuredTable, page, predict, predictions, type Scaled } from './scale/predict.ts'

const replicas = [1, 2, 4]
/** Four replicas leave half of two cores to the others. */
const quota = 0.25
const window = 64
const cases = 10

export async function run(options: string[]): Promise<Bench> {
  const samples = options.includes('--short') ? 40 : 1000
  const [busyBefore = 0] = loadavg()
  const servers = await startServers()
  try {
    const measured = await measureScale(servers, replicas, { cases, samples, quota, window })
    if (!measured) throw new Error('this bench needs control groups that it may make; run it as root')
    const costs = meanCosts(measured)
    const cores = cpus().length
    const simulatedRates = measured.map(
      (one) =>
        predict(costs, {
          ...{ executionPlaces: one.replicas, placeCores: quota },
          ...{ evaluations: 1, scorings: 1, serverCores: cores, window },
        }).perSecond,
    )
    const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${cores} cores, where ${busyBefore.toFixed(1)} processes ran on average before the measurement`
    const scaled: Scaled = { measured, quota, window, costs, simulatedRates, machine }
    const rates = measured.map((one) => one.samples / one.seconds)
    const efficiency = rates.at(-1)! / rates[0]! / (replicas.at(-1)! / replicas[0]!)
    const errors = rates.map((perSecond, at) => Math.abs(simulatedRates[at]! / perSecond - 1))
    const largest = predictions(costs).at(-1)!
    return {
      about: `One evaluation of ${measured[0]!.samples} samples whose model answers immediately, with 1, 2 and 4 execution replicas of ${quota} cores each; larger setups are simulated with these costs ([scaling.md](scaling.md)).`,
      parts: [
        {
          ...{ name: 'samples a second with 4 replicas, next to 4 times those of one', unit: '1/s' },
          ...{ ours: rates.at(-1)!, peer: 4 * rates[0]!, ratio: efficiency, aim: 0.8 },
        },
        {
          ...{ name: 'coordinator’s own cost a sample', unit: 'ms', ours: costs.evaluation * 1000 },
        },
        {
          ...{ name: 'simulation next to measurement, largest difference', unit: '%' },
          ...{ ours: 100 * Math.max(...errors) },
        },
        {
          ...{ name: `${largest.nodes} nodes of four cores, simulated`, unit: '1/s' },
          ...{ ours: largest.simulated.perSecond },
        },
      ],
      files: { '../../docs/scaling.md': page(scaled) },
      notes: measuredTable(scaled),
    }
  } finally {
    await servers.stop()
  }
}
