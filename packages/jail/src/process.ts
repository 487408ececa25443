/**
 * The process of a jail: started, ready once it has passed its listening socket, and ended with everything
 * in it. Its stdio: 0 is empty, 1 and 2 are output, 3 passes the listening socket, 4 carries frames; it
 * gets no other descriptor.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Server } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import type { ExecutionLimits } from '@stateeval/contracts'
import { type ControlGroup, openCgroup } from './cgroup/cgroup.ts'
import type { ContainerHandles, JailCommand } from './command.ts'
import { spawnWithoutInherited } from './descriptors.ts'
import { isCountingApart, limitRunning } from './process-limit.ts'
import { listDescendants, type ProcessUsage, measureUsage, sumUsage } from './process-tree.ts'
import { maxDescriptors } from './channel.ts'
import { describeNamespaceRemedy } from './namespaces.ts'
import { type IdleUsage, readIdleUsage } from './watchdog.ts'

/** The jail could not be started: our fault, never the candidate’s. */
class JailError extends Error {
  override readonly name = 'JailError'
}

/** For a busy machine, which starts a jail in seconds instead of milliseconds. */
const startMs = 120_000
const drainMs = 1000
/**
 * Until candidate code comes, a jail holds only ours: enough for a large library that is loaded. The quota of
 * cores stays: one for the code, one for what its engine does beside it; a program of many threads takes no
 * more of a large machine.
 */
const startLimits = { memoryMiB: 4096, pids: 256, cpuQuota: 2 }
/**
 * Room of a group beyond a program's limits: the host's watchdog counts processes' own memory and gives the
 * verdict; the group stops growth between two looks. It also holds /tmp, page tables and buffers of the
 * kernel.
 */
const groupSlack = { memoryMiB: 160, pids: 32 }
/** gVisor's own threads come and go, and the programs' are none of the host's. */
const containedPids = 512
/** After this long the outer process is ended too, whatever the inner ones do. */
const killMs = 500

export interface ProcessExit {
  code: number | null
  signal: NodeJS.Signals | null
}

export class JailProcess {
  /** Settles when every process of the jail is gone and its pipes are read to their end. Never rejects. */
  readonly exited: Promise<ProcessExit>
  readonly #child: ChildProcess
  readonly #jailed: boolean
  readonly #contained: ContainerHandles | undefined
  /** The port in the jail where connections are taken; 0 without HTTP. */
  port = 0
  /** The jail’s listening socket, in our hands. */
  server: Server | undefined
  readonly #group: ControlGroup | undefined
  #held = { memoryMiB: 0, pids: 0 }
  #cpuMsBefore = 0
  /** Kills for want of memory: the count before the program, and the last one. */
  #oomKills = 0
  #oomSeen: number | undefined
  /** Known at its end, before the group is removed. */
  #exitedForMemory: boolean | undefined

  constructor({ command, args, env, jailed, grouped, filter, contained }: JailCommand) {
    this.#jailed = jailed
    this.#contained = contained
    const group = grouped
      ? openCgroup('jail', contained ? { ...startLimits, pids: containedPids } : startLimits)
      : { unavailable: 'not asked for' }
    if (!('unavailable' in group)) this.#group = group
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc', 'pipe', ...(filter ? (['pipe'] as const) : [])] as const
    const [first, ...words] = [...(this.#group?.entering ?? []), command, ...args]
    this.#child = spawnWithoutInherited(stdio, (stdio) =>
      spawn(first!, words, { env, cwd: '/', stdio, detached: !jailed }),
    )
    if (filter) (this.#child.stdio[stdio.length - 1] as Duplex).on('error', () => {}).end(filter)
    for (const stream of [this.stdout, this.stderr, this.frames]) stream.on('error', () => {})
    this.exited = this.#whenExited()
  }
  get pid() {
    return this.#child.pid
  }
  get stdout() {
    return this.#child.stdout as Readable
  }
  get stderr() {
    return this.#child.stderr as Readable
  }
  get frames() {
    return this.#child.stdio[4] as Duplex
  }

  /**
   * Ready for a job. Rejects with a JailError where the jail ended before, or didn’t come up in time.
   * `lastWords` tells what it printed. `listen` hears what the process says from then on, which must then
   * keep the channel from candidate code; without it the channel is closed.
   */
  async ready(lastWords: () => string, listen?: (message: unknown, handle: unknown) => void): Promise<void> {
    const early = this.exited.then(({ code, signal }) => {
      const says = lastWords().trim().slice(-500) || 'no message'
      const remedy = describeNamespaceRemedy(says)
      throw new JailError(
        `The jail could not be started (${signal ?? `code ${code}`}): ${says}${remedy ? `. ${remedy}` : ''}`,
      )
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new JailError(`The jail was not ready after ${startMs} ms`)), startMs)
    })
    const handed = new Promise<void>((resolve) => {
      this.#child.once('message', (message, handle) => {
        this.port = (message as { port: number }).port
        this.server = this.#contained?.server ?? (handle as Server | undefined)
        if (listen) this.#child.on('message', listen)
        resolve()
      })
    })
    try {
      await Promise.race([handed, early, late])
    } catch (error) {
      this.kill()
      throw error
    } finally {
      clearTimeout(timer)
      early.catch(() => {})
    }
    // Only our own code has run so far. From here on nothing is read from the channel that may carry handles.
    if (!listen) this.#child.disconnect()
    await this.#contained?.usage.look()
  }

  /**
   * Measures its current usage. Only the group's CPU time includes processes that ended unseen, which no
   * parent waited for.
   */
  usage(): ProcessUsage {
    const tree = this.#contained ? this.#contained.usage.read(this.pid!) : measureUsage(this.pid!)
    return this.#group ? { ...tree, cpuMs: Math.max(tree.cpuMs, this.#group.cpuMs()) } : tree
  }

  /** Measures its usage when it is ready, before a program runs. */
  idle(): IdleUsage {
    return this.#contained ? { ...this.usage(), ownBytes: undefined } : readIdleUsage(this.pid!)
  }

  get contained() {
    return this.#contained !== undefined
  }

  /**
   * To be called before a program runs: the kernel then holds it to its limits, where control groups are
   * available. `now`: the present usage, where it is known.
   */
  confine({ memoryMiB, processes }: Pick<ExecutionLimits, 'memoryMiB' | 'processes'>, now?: ProcessUsage) {
    if (!this.#group) return
    // Records the usage before any program.
    if (this.#held.pids === 0)
      this.#held = {
        memoryMiB: Math.ceil(this.#group.memory() / 2 ** 20),
        pids: measureUsage(this.pid!).tasks,
      }
    this.#oomKills = this.#oomSeen ??= this.#group.oomKills()
    this.#cpuMsBefore = now?.cpuMs ?? this.#group.cpuMs()
    this.#group.confine({
      memoryMiB: this.#held.memoryMiB + memoryMiB + groupSlack.memoryMiB,
      pids: this.#contained ? containedPids : this.#held.pids + processes + groupSlack.pids,
    })
  }
  /**
   * The kernel's limit on tasks for a program of so many processes, where no control group holds them: the
   * watchdog looks every few milliseconds, and by then a program that forks has taken the machine's memory.
   * null: a group does, or nothing can.
   */
  maxTasks(processes: number): number | null {
    if (this.#group || this.#contained || !this.#jailed) return null
    const [, ...inside] = listDescendants(this.pid!)
    return isCountingApart(inside[0]) ? sumUsage(inside).tasks + processes + groupSlack.pids : null
  }
  /** Sets that limit and the one on descriptors for a jail of one program, which can't be raised again. */
  limitProcesses(processes: number) {
    if (this.#contained || !this.#jailed) return
    const tasks = this.maxTasks(processes)
    const [, ...inside] = listDescendants(this.pid!)
    // The last one is the runner.
    if (tasks === null) limitRunning(inside.slice(-1), { descriptors: maxDescriptors })
    else limitRunning(inside, { descriptors: maxDescriptors, tasks })
  }
  /** CPU time of all that ran in it since then, where a control group counts it, else 0. */
  cpuMs(): number {
    return Math.max(0, (this.#group?.cpuMs() ?? 0) - this.#cpuMsBefore)
  }

  /**
   * Tells whether the kernel has ended a process for want of memory since then. Ask wherever one may have
   * been ended.
   */
  outOfMemory(): boolean {
    if (this.#exitedForMemory !== undefined || !this.#group) return this.#exitedForMemory ?? false
    this.#oomSeen = this.#group.oomKills()
    return this.#oomSeen > this.#oomKills
  }

  /** To a process that forks, over the channel that stays open. */
  tell(message: object) {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  /** Ends everything in the jail at once. */
  kill() {
    const { pid, exitCode, signalCode } = this.#child
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    const [outer, inner, ...others] = listDescendants(pid)
    if (!this.#jailed || this.#contained) return [...others, inner, outer].forEach(signalProcess)
    // The first process of the inner namespace takes all others with it; the outer one ends when they are
    // gone.
    signalProcess(inner ?? outer)
    setTimeout(() => {
      // Numbers of processes that have ended are given to others.
      if (this.#child.exitCode === null && this.#child.signalCode === null)
        listDescendants(pid).slice(0, 2).forEach(signalProcess)
    }, killMs).unref()
  }

  /** (The child’s own 'close' doesn’t come after a disconnect.) */
  async #whenExited(): Promise<ProcessExit> {
    const pipes = [this.stdout, this.stderr, this.frames]
    const pipesClosed = Promise.all(pipes.map((pipe) => new Promise((resolve) => pipe.on('close', resolve))))
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      this.#child.on('exit', (code, signal) => resolve([code, signal]))
      this.#child.on('error', () => this.#child.pid === undefined && resolve([null, null]))
    })
    // Outside a jail, a process that the code has left behind may hold them open.
    const timer = setTimeout(() => pipes.forEach((pipe) => pipe.destroy()), drainMs)
    await pipesClosed
    clearTimeout(timer)
    this.server?.close()
    this.#exitedForMemory = this.outOfMemory()
    await this.#group?.close()
    await this.#contained?.remove()
    return { code, signal }
  }
}

function signalProcess(pid: number | undefined) {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}
