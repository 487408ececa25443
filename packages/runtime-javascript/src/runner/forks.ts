/**
 * Forks a child per candidate, one after the other, from a process that never sees a job or its outcome,
 * because a child inherits its parent's memory. A child waits for its job before the job exists.
 */
import { fstatSync, lstatSync, readdirSync, utimesSync } from 'node:fs'
import { frameFd, maxDescriptors as programDescriptors } from '@stateeval/runtime/protocol'
import type { ForkReport } from '@stateeval/runtime'
import type { LinuxCalls } from './linux.ts'

/** Descriptors that children share one after the other: output, errors, frames. */
const shared = [1, 2, frameFd]
/** Places where a jail lets code write, also as C’s texts. */
const places = ['/tmp', '/dev/shm'].map((path) => ({ path, text: Buffer.from(`${path}\0`) }))
/** RLIMIT_NOFILE */
const descriptorLimit = 7
/** The neutral time of these places, in seconds. */
const noTime = 0
/** A process that has just started has fewer. */
const maxDescriptors = 512

/** The forking process fills its young generation as well; a child should find it almost empty. */
const runsPerCollection = 16

interface ForkSupport {
  linux: LinuxCalls
  /** The channel to the host. */
  channel: number
  /** The port at which each child listens in its own network; undefined for a world without HTTP. */
  port: number | undefined
  /** A folder with the filters of the process that forks and of its children. */
  filters: string
  /** Collects the young generation. */
  collectYoung: () => void
}

/** Returns in each child the mark before its job; never returns in the forking process. */
export function fork({ linux, channel, port, filters, collectYoung }: ForkSupport): Buffer {
  const ours = linux.filter(`${filters}/forker.bpf`)
  const childs = linux.filter(`${filters}/child.bpf`)
  const tell = (forked: ForkReport) => linux.send(channel, Buffer.from(`${JSON.stringify(forked)}\n`))
  const ofThreads = listThreadDescriptors([frameFd, channel])
  linux.hide()
  ours.install()
  const before = listLeftovers(linux)
  let mark = linux.random()
  for (let run = 1; ; run++) {
    // Whatever the last one has made of them.
    linux.restore(0)
    for (const fd of shared) linux.restoreSocket(fd)
    if (run % runsPerCollection === 0) collectYoung()
    linux.memory.share()
    const pid = linux.fork()
    if (pid === 0) {
      linux.network.enter(port, channel)
      linux.close(channel)
      linux.limit(descriptorLimit, programDescriptors, programDescriptors)
      linux.cover(ofThreads.filter((one) => isInherited(linux, one)))
      linux.renewLoop()
      childs.install(linux.getpid())
      return mark
    }
    if (run === 1) tell({ mark: mark.toString('hex') })
    const life = linux.openPid(pid)
    for (let hasEnded = false; !hasEnded;) {
      const [ended, said] = linux.waitFor(life, channel)
      hasEnded = ended
      const text = said ? linux.read(channel) : ''
      if (text === undefined) linux.exit(0)
      if (text!.includes(`"stop":${run}}`)) linux.kill(pid)
    }
    linux.close(life)
    const end = linux.reap(pid)
    const clean = listLeftovers(linux) === before && !shared.some((fd) => linux.isShut(fd))
    mark = linux.random()
    tell({ ended: { ...end, clean }, mark: mark.toString('hex') })
  }
}

/**
 * Finds descriptors that wake threads of Node. A child has no such threads: it would wake its parent's, which
 * believe what they read there.
 */
function listThreadDescriptors(known: readonly number[]): OpenDescriptor[] {
  return Array.from({ length: maxDescriptors }, (_, fd) => fd).flatMap((fd) => {
    if (fd < 3 || known.includes(fd)) return []
    try {
      const stats = fstatSync(fd)
      if (stats.isSocket() || stats.isFile()) throw new TypeError(`Children would share the descriptor ${fd}`)
      // Neither is there anything to share of /dev/null.
      return stats.isCharacterDevice() ? [] : [{ fd, pipe: stats.isFIFO() ? stats.ino : undefined }]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EBADF') return []
      throw error
    }
  })
}

interface OpenDescriptor {
  fd: number
  /** The number of a pipe; undefined for what is none. */
  pipe: number | undefined
}

/**
 * In a child: whether it shares this with its parent. The fork has replaced the pipe by which libuv locks
 * signals.
 */
const isInherited = (linux: LinuxCalls, { fd, pipe }: OpenDescriptor) =>
  pipe === undefined || (linux.isOpen(fd) && fstatSync(fd).ino === pipe)

/**
 * Lists the content of these places, their permissions, and the use of their file systems, which includes
 * files that have no name any more. Resets their times: two programs could otherwise exchange bits by them.
 */
const listLeftovers = (linux: LinuxCalls) =>
  places
    .map(({ path, text }) => {
      try {
        const { mode, uid, gid } = lstatSync(path)
        const names = readdirSync(path)
        utimesSync(path, noTime, noTime)
        return [path, mode, uid, gid, ...linux.free(text), ...names].join()
      } catch {
        return ''
      }
    })
    .join()
