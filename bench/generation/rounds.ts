/** Generation alone, on one core: rounds of programs that are dropped as they come, timed by the processor time that they take. */
import { defaultOptions, generate, type StrategyId } from '@stateeval/generate'
import type { Scenario } from '@stateeval/program'

export const length = 5

export interface Rounds {
  /** Programs per second of processor time, of all threads of the process: the median round, and slowest to fastest. */
  perSecond: number
  slowest: number
  fastest: number
  /** The most heap in use while the programs went by, in MiB. */
  heapMiB: number
}

/**
 * Rounds of `count` programs, each a generation of its own from its first program on. A round before them warms the code
 * up, and is not counted.
 */
export function rounds(scenario: Scenario, strategy: StrategyId, { count, times }: { count: number; times: number }): Rounds {
  let heap = 0
  const round = (seed: number, programs: number) => {
    const before = process.cpuUsage()
    for (const { index } of generate(scenario, { ...defaultOptions, strategy, count: programs, length, seed }))
      if (index % 250 === 0) heap = Math.max(heap, process.memoryUsage().heapUsed)
    const { user, system } = process.cpuUsage(before)
    return programs / ((user + system) / 1e6)
  }
  round(99, Math.ceil(count / 2))
  const rates = Array.from({ length: times }, (_, seed) => round(seed + 1, count)).sort((a, b) => a - b)
  return {
    perSecond: rates[rates.length >> 1] as number,
    slowest: rates[0] as number,
    fastest: rates.at(-1) as number,
    heapMiB: heap / 2 ** 20,
  }
}
