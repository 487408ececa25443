/** Looks at a running jail every few milliseconds and says when a limit is passed. */
import type { Limits } from '@stateeval/contracts'
import { usage } from './process-tree.ts'

export type Excess = 'wall' | 'cpu' | 'memory' | 'processes'

/** Between two looks; a machine that is busy looks later, and that time isn’t counted in full, see below. */
const lookMs = 40
const countedMs = 2 * lookMs

export interface Watched {
  stop(): void
  /** CPU time since the start, as last seen. */
  cpuMs(): number
}

/**
 * The wall clock of a run counts what the host could see: a gap between two looks counts for two looks at most. When
 * the machine is so busy that we ourselves don’t get to run, the code isn’t blamed for it. CPU time counts from now on;
 * `idle` tells what the jail used before it ran anything, where that isn’t the program’s.
 */
export function watch(pid: number, limits: Limits, exceed: (excess: Excess) => void, idle = { memoryBytes: 0, tasks: 0 }): Watched {
  let wallMs = 0
  let last = performance.now()
  const before = usage(pid).cpuMs
  let cpuMs = 0
  const timer = setInterval(() => {
    const now = performance.now()
    wallMs += Math.min(now - last, countedMs)
    last = now
    const used = usage(pid)
    cpuMs = Math.max(cpuMs, used.cpuMs - before)
    if (used.memoryBytes - idle.memoryBytes > limits.memoryMiB * 1024 * 1024) exceed('memory')
    else if (used.tasks - idle.tasks > limits.processes) exceed('processes')
    else if (cpuMs > limits.cpuSeconds * 1000) exceed('cpu')
    else if (wallMs >= limits.wallMs) exceed('wall')
  }, lookMs)
  return { stop: () => clearInterval(timer), cpuMs: () => cpuMs }
}
