/**
 * The resources of this process, from its control groups: in a container, the machine’s numbers are too
 * high.
 */
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { findOwnLocations, readText, listUpwards, type GroupLocation } from './locations.ts'

interface OwnLimits {
  /** Cores, also parts of them. Never more than the machine lets this process run on. */
  cpus: number
  memoryBytes: number
  /** Processes and threads; Infinity where no group bounds them. */
  pids: number
  /** Sources of the numbers, for people. */
  from: { cpus: 'machine' | 'cgroup'; memory: 'machine' | 'cgroup' }
}

/** Reads the current limits, because they may change at run time. */
export function readOwnLimits(
  root = '/',
  machine = { cpus: availableParallelism(), memoryBytes: totalmem() },
): OwnLimits {
  const { cpu, memory, pids } = findOwnLocations(root)
  const cpus = findLeast(cpu, readQuota)
  const memoryBytes = findLeast(memory, readMemoryLimit)
  return {
    cpus: Math.min(cpus, machine.cpus),
    memoryBytes: Math.min(memoryBytes, machine.memoryBytes),
    pids: findLeast(pids, readPidsLimit),
    from: {
      cpus: cpus < machine.cpus ? 'cgroup' : 'machine',
      memory: memoryBytes < machine.memoryBytes ? 'cgroup' : 'machine',
    },
  }
}

const findLeast = (
  place: GroupLocation | undefined,
  read: (version: 1 | 2, folder: string) => number,
): number => (place ? Math.min(...listUpwards(place).map((folder) => read(place.version, folder))) : Infinity)

/** Version 2: `max 100000` or `50000 100000`; version 1: -1 for no quota. Microseconds in both. */
function readQuota(version: 1 | 2, folder: string): number {
  const [quotaText, period] =
    version === 2
      ? readText(join(folder, 'cpu.max')).trim().split(' ')
      : [readText(join(folder, 'cpu.cfs_quota_us')), readText(join(folder, 'cpu.cfs_period_us'))]
  const us = parsePositive(quotaText)
  return us === Infinity ? us : us / parsePositive(period ?? '100000')
}

/** Version 1 says a number near 2^63 for none, which no machine has. */
const readMemoryLimit = (version: 1 | 2, folder: string): number =>
  parsePositive(readText(join(folder, version === 2 ? 'memory.max' : 'memory.limit_in_bytes')))

const readPidsLimit = (_: 1 | 2, folder: string): number => parsePositive(readText(join(folder, 'pids.max')))

/** Infinity for `max`, -1, an empty or missing file. */
function parsePositive(word: string | undefined): number {
  const value = Number(word?.trim() || 'none')
  return value > 0 ? value : Infinity
}
