/** Checks a running jail every few milliseconds and reports an exceeded limit. */
import type { ExecutionLimits } from '@stateeval/contracts'
import { readOwnMemory, type ProcessUsage, measureUsage } from './process-tree.ts'

export type ExceededLimit = 'wall' | 'cpu' | 'memory' | 'processes'

/** Between two looks; a machine that is busy looks later, and that time isn’t counted in full, see below. */
const lookMs = 40
const countedMs = 2 * lookMs

interface WatchedJail {
  stop(): void
  /** CPU time since the start, as last seen. */
  cpuMs(): number
}

/** A run takes no longer than this many times its wall limit, however little of it counts. */
const longest = 20

/** A jail's usage when it was ready, before it ran anything, which does not belong to the program. */
export interface IdleUsage extends Pick<ProcessUsage, 'memoryBytes' | 'tasks'> {
  /** Its own memory, as readOwnMemory counts it. */
  ownBytes: number | undefined
}
export const readIdleUsage = (pid: number): IdleUsage => ({
  ...measureUsage(pid),
  ownBytes: readOwnMemory(pid),
})
const nothing: IdleUsage = { memoryBytes: 0, tasks: 0, ownBytes: 0 }

/**
 * The wall clock of a run counts what the host could see and what the code could use: a gap between two looks
 * counts for two looks at most, and time in which a process was ready and didn’t get a core doesn’t count.
 * When the machine is so busy that we or the code don’t get to run, the code isn’t blamed for it. CPU time
 * and memory count from now on: what an earlier program has left in a warm runner is nobody else’s. `start`:
 * what it uses now, where that is known.
 */
export function watch(
  pid: number,
  limits: ExecutionLimits,
  exceed: (excess: ExceededLimit) => void,
  idle: IdleUsage = nothing,
  look = () => measureUsage(pid),
  start = look(),
): WatchedJail {
  const memoryBytes = limits.memoryMiB * 1024 * 1024
  const began = performance.now()
  let wallMs = 0
  let last = began
  let lastUsage = start
  const before = {
    ...lastUsage,
    ownBytes:
      idle.ownBytes === undefined ? undefined : idle.ownBytes + lastUsage.memoryBytes - idle.memoryBytes,
  }
  let cpuMs = 0
  const timer = setInterval(() => {
    const now = performance.now()
    const usageNow = look()
    wallMs = countWall(wallMs, now - last, measureStarvation(lastUsage, usageNow))
    last = now
    lastUsage = usageNow
    cpuMs = Math.max(cpuMs, usageNow.cpuMs - before.cpuMs)
    if (usageNow.memoryBytes - before.memoryBytes > memoryBytes && !isSharedMemory(pid, memoryBytes, before))
      exceed('memory')
    else if (usageNow.tasks - idle.tasks > limits.processes) exceed('processes')
    else if (cpuMs > limits.cpuSeconds * 1000) exceed('cpu')
    else if (wallMs >= limits.wallMs || now - began > longest * limits.wallMs) exceed('wall')
  }, lookMs)
  return { stop: () => clearInterval(timer), cpuMs: () => cpuMs }
}

/**
 * The wall clock after a look. The kernel reports a wait for a core when it is over: what was counted
 * meanwhile is taken back.
 */
export const countWall = (wallMs: number, sinceLookMs: number, starvedMs: number) =>
  Math.max(0, wallMs + Math.min(sinceLookMs, countedMs) - starvedMs)

/** Measures how long a process waited for a core between two looks, at most. */
function measureStarvation({ starvedMs: before }: ProcessUsage, { starvedMs: after }: ProcessUsage): number {
  let largest = 0
  for (const [pid, ms] of after) largest = Math.max(largest, ms - (before.get(pid) ?? ms))
  return largest
}

/** Tells whether the processes have so much only because pages that forks share were counted for each. */
function isSharedMemory(
  pid: number,
  memoryBytes: number,
  { ownBytes }: Pick<IdleUsage, 'ownBytes'>,
): boolean {
  const ownBytesNow = ownBytes === undefined ? undefined : readOwnMemory(pid)
  return ownBytesNow !== undefined && ownBytesNow - ownBytes! <= memoryBytes
}
