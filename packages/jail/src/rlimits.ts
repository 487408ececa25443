/**
 * Limits of the kernel on each process of a jail, set before bubblewrap starts. They stop what control groups
 * don't count. Not among them, each tried: RLIMIT_NPROC would count a user's processes on the whole machine
 * here, so that one jail's forks would keep the next from starting (process-limit.ts sets it inside);
 * RLIMIT_AS and RLIMIT_DATA count what V8 only reserves, and node doesn't start (or no worker does) under any
 * value that would be a bound.
 */
import { readFileSync } from 'node:fs'

/**
 * Descriptors of a process before candidate code runs. The kernel counts descriptors that are on their way in
 * sockets by user, for all jails together, and refuses them beyond the sender's own limit: a jail that starts
 * must still be able to hand its listening socket over. `maxDescriptors` is the limit from then on.
 */
const startDescriptors = 4096

interface ProcessLimits {
  /** The largest file that may be written, in memory too. */
  fileBytes: number
  /** CPU seconds of the process; none for one that serves many runs, which others count. */
  cpuSeconds?: number
}

/** The words before a command, ending in --. */
export const buildRlimits = ({ fileBytes, cpuSeconds }: ProcessLimits): string[] => [
  'prlimit',
  '--core=0',
  `--nofile=${Math.min(startDescriptors, readOwnDescriptors())}`,
  `--fsize=${fileBytes}`,
  // Locked memory and queues belong to nobody's memory limit; real-time priorities would starve the host.
  '--memlock=0',
  '--msgqueue=0',
  '--sigpending=1024',
  '--locks=1024',
  '--rtprio=0',
  '--nice=0',
  ...(cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}`]),
  '--',
]

/** Nobody but root may raise it above this. */
function readOwnDescriptors(): number {
  const hard = /^Max open files +\S+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return hard === undefined ? startDescriptors : Number(hard)
}
