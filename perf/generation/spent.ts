/**
 * Whose processor time replays take: of this process, of the servers that it has started, and of all else
 * that it starts.
 */
import { childrenNamed, cpuSecondsOf } from '../coordinator/usage.ts'

/** In milliseconds. */
export interface Spent {
  /** Generator, sandbox, worlds, comparison: this process. */
  asking: number
  /** Jails; for tensors the process that runs graphs, too. */
  jails: number
  /** The embedded servers, where they run. */
  servers: number
}

const names = ['stateeval-local', 'mongod', 'nats-server']

/** Since this process began. */
export function cpuUse(): Spent {
  const { user, system } = process.cpuUsage()
  const asking = (user + system) / 1000
  const servers = childrenNamed(names).reduce((sum, { pid }) => sum + cpuSecondsOf(pid) * 1000, 0)
  return { asking, servers, jails: Math.max(0, cpuSecondsOf(process.pid) * 1000 - asking - servers) }
}

/** Between two of these, for each of so many runs. */
export const spentEach = (before: Spent, after: Spent, runs: number): Spent => ({
  asking: (after.asking - before.asking) / runs,
  jails: (after.jails - before.jails) / runs,
  servers: (after.servers - before.servers) / runs,
})
