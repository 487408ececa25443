/**
 * A warm jail: one process that forks a child per program, never two at once. The child waits for its job
 * before the job exists. Each child has its own network, and hands over the socket that listens there. All
 * children share output, errors and the channel of frames, one after the other. A program's output is read to
 * its end as soon as the forking process reports that it has ended.
 */
import { readSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import type { Readable } from 'node:stream'
import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  listChildren,
  listDescendants,
  type ProcessExit,
  type IdleUsage,
  type JailCommand,
  JailProcess,
  readMemory,
  sumUsage,
} from '@stateeval/jail'
import type { CellEnd, CellJob, KillReason } from '../cell.ts'
import { ProgramOutput } from '../cells/output.ts'
import {
  type CanaryRules,
  type CanaryProgram,
  checkByCanary,
  type CleanConfirmation,
  UncheckedRuns,
} from './canary.ts'
import { surroundJob } from '../cells/surround.ts'
import { encodeFrame, FrameReader } from '../protocol.ts'
import { badCall, type ChildEnd, type ForkReport, type ForkedJob, type RunnerSetup } from './fork-protocol.ts'

/** After this long without an end the jail is ended by force, in milliseconds. */
const stopMs = 250
/** A child is the program’s own: what it used before it had its job doesn’t count. */
const unused = { cpuMs: 0, tasks: 0, starvedMs: new Map<number, number>() }

type ForkCanary = CanaryRules & { program: CanaryProgram }

/** A descriptor that came over the channel, as Node’s own handle. */
interface ListeningSocket {
  close(): void
}

export class ForkingRunner {
  readonly #process: JailProcess
  /** The process that forks. */
  #forker = 0
  #forkerBytes = 0
  /** Usage of a child that waits for its job. */
  #idle: IdleUsage | undefined
  #baseTasks: number | null = null
  #printed = ''
  /** Listens in the network of the child that waits for its job or has it; undefined without HTTP. */
  #server: Server | undefined
  /** Settles when that child waits for its job; false if none will. */
  #waiting = Promise.withResolvers<boolean>()
  #tainted = false
  #exit: ProcessExit | undefined
  /** Receives the runner’s exit while a program runs. */
  #onExit: (exit: ProcessExit) => void = () => {}
  /** Mark before the next job. */
  #mark = ''
  #forked: (forked: ForkReport) => void
  /** Settles when it has ended, for whatever reason. */
  readonly exited: Promise<unknown>
  /** How many programs it has run. */
  runs = 0
  readonly #setup: RunnerSetup
  readonly #ofV8: boolean
  readonly #canary: ForkCanary
  /** Called when somebody waits for a canary. */
  onAwaited: () => void = () => {}
  readonly #unchecked = new UncheckedRuns(() => this.onAwaited())
  /** The owner whose programs have run since the last canary. */
  #owner: string | undefined
  #take: Readonly<Record<'stdout' | 'stderr' | 'frames', (chunk: Buffer) => void>>

  /** `ofV8`: see Output. */
  constructor(command: JailCommand, setup: RunnerSetup, canary: ForkCanary, ofV8 = true) {
    this.#setup = setup
    this.#canary = canary
    this.#ofV8 = ofV8
    this.#process = new JailProcess(command)
    this.#take = this.#beside
    for (const name of streams) this.#process[name].on('data', (chunk: Buffer) => this.#take[name](chunk))
    this.#process.frames.on('end', () => (this.#tainted = true))
    this.#forked = this.#unexpected
    this.#process.frames.write(encodeFrame(JSON.stringify(setup)))
    this.exited = this.#process.exited.then((exit) => {
      this.#exit = exit
      this.#server?.close()
      this.#waiting.resolve(false)
      this.#onExit(exit)
      this.#unchecked.settle(false)
    })
  }

  /** A child that ends before its job comes has nothing to end for. */
  #unexpected = () => {
    this.#tainted = true
    this.#waiting.resolve(false)
  }

  #hear(message: unknown, handle: unknown) {
    if (handle === undefined) return this.#forked(message as ForkReport)
    const socket = handle as ListeningSocket
    // The runner's data may arrive after its end.
    if (this.#exit) return socket.close()
    // That of a child that ended before its job came.
    this.#server?.close()
    // Nobody connects before the child has its job.
    this.#server = createServer((early) => early.destroy()).listen(socket)
    this.#waiting.resolve(true)
  }

  /** Beside programs, what comes is said by the runner itself, and kept for its obituary. */
  get #beside() {
    const keep = (chunk: Buffer) => (this.#printed = (this.#printed + chunk.toString('latin1')).slice(-2000))
    return { stdout: keep, stderr: keep, frames: () => (this.#tainted = true) }
  }

  async ready(): Promise<this> {
    const waiting = new Promise<void>((resolve) => {
      this.#forked = ({ mark }) => {
        this.#mark = mark
        resolve()
      }
    })
    await this.#process.ready(
      () => this.#printed,
      (message, handle) => this.#hear(message, handle),
    )
    if (this.#process.port === 0) this.#waiting.resolve(true)
    await Promise.race([waiting, this.exited])
    this.#forked = this.#unexpected
    if (!(await this.#waiting.promise)) {
      await this.close()
      throw new Error(`No child has a network of its own: ${this.#printed.trim().slice(-500)}`)
    }
    const [forker, child] = listDescendants(this.#process.pid!).slice(-2)
    this.#forker = forker ?? 0
    this.#forkerBytes = readMemory(this.#forker)
    this.#idle = {
      ...sumUsage(child === undefined ? [] : [child]),
      ownBytes: undefined,
    }
    this.#baseTasks = this.#process.maxTasks(0)
    return this
  }

  /** Tells whether another program may run here. */
  get usable() {
    return this.#exit === undefined && !this.#tainted
  }
  /** Memory of the forking process beyond what it held when it was ready, in bytes. */
  grown(): number {
    return readMemory(this.#forker) - this.#forkerBytes
  }

  /** Tells whether a canary must run before a program of this owner. */
  needsCheck(owner: string): boolean {
    return this.#unchecked.count > 0 && this.#owner !== owner
  }
  get isCheckDue() {
    return this.#unchecked.count >= this.#canary.every
  }
  get isCheckAwaited() {
    return this.#unchecked.isAwaited
  }

  /** Counts a program of this owner that runs next, until the next canary. */
  begin(owner: string): CleanConfirmation {
    this.#owner = owner
    return this.#unchecked.add()
  }

  /**
   * Runs a canary. If it is not as expected, the runner is unusable, and runs since the last one are
   * refuted.
   */
  async check(): Promise<void> {
    if (this.#unchecked.count === 0) return
    // Files that a program has left are known, and are why the runner ends.
    const around = { http: this.#process.port !== 0, hasFiles: this.#tainted }
    const problem = this.#exit
      ? 'the runner has ended'
      : await checkByCanary(this.#canary.program, around, (job) => this.run(job))
    if (problem !== undefined) this.#tainted = true
    if (!this.#exit) this.#canary.checked(problem)
    this.#unchecked.settle(problem === undefined)
  }

  async run({ job, ...around }: CellJob): Promise<CellEnd> {
    if (!(await this.#waiting.promise)) return endWithoutChild
    const server = this.#server
    this.#server = undefined
    const run = ++this.runs
    let killed: KillReason | undefined
    let ending: NodeJS.Timeout | undefined
    let over = false
    const kill = (reason: KillReason) => {
      killed ??= reason
      if (over) return
      this.#process.tell({ stop: run })
      ending ??= setTimeout(() => {
        this.#tainted = true
        this.#process.kill()
      }, stopMs)
    }
    const { outputKiB, processes, memoryMiB, cpuSeconds } = around.limits
    const output = new ProgramOutput(outputKiB * 1024, this.#ofV8)
    const reader = new FrameReader(job.resultBytes)
    const { connections, calls, baseUrl, end } = surroundJob(this.#process, around, kill, {
      idle: this.#idle!,
      before: { ...unused, memoryBytes: this.#idle!.memoryBytes },
      look: () => sumUsage(listChildren(this.#forker)),
    })
    server?.removeAllListeners('connection').on('connection', (socket) => connections.take(socket))
    const startedAt = performance.now()
    let saidAt = startedAt
    const take = (chunk: Buffer) => {
      saidAt = performance.now()
      if (!reader.push(chunk)) kill('frames')
    }
    const splitter = calls?.splitter(take)
    this.#take = {
      stdout: (chunk) => void (output.push(false, chunk) || kill('output')),
      stderr: (chunk) => void (output.push(true, chunk) || kill('output')),
      frames: splitter ? (chunk) => splitter.push(chunk) : take,
    }
    const tasks = this.#baseTasks === null ? null : this.#baseTasks + processes
    const forkedJob: ForkedJob = {
      ...job,
      // Unless it was loaded before.
      surface: job.surface?.key === this.#setup.surface?.key ? null : job.surface,
      baseUrl,
      memoryMiB,
      cpuSeconds,
      tasks,
      randomSeed: randomInt(1, 2 ** 31 - 1),
    }
    const ended = await this.#ended(forkedJob)
    over = true
    clearTimeout(ending)
    const isEnded = 'clean' in ended
    if (isEnded) this.#readRest()
    splitter?.end()
    this.#take = this.#beside
    // Connections that the child made before its end become ready in this turn or the next.
    for (let turn = 0; server && turn < 2; turn++) await setImmediate()
    const seenCpuMs = await end(killed)
    server?.close()
    if (connections.exceeded) killed ??= 'requests'
    const { text, outOfMemory } = output.end()
    // Replies that wait to be sent are nobody else's to read.
    if (!isEnded || !ended.clean || this.#process.frames.writableLength > 0) this.#tainted = true
    const reading = reader.read()
    const hasOutcome = reading.kind === 'outcome' && isEnded && ended.signal === null
    const common = {
      killed,
      reading,
      output: text,
      outOfMemory: outOfMemory || (!hasOutcome && this.#process.outOfMemory()),
    }
    const parts = { run: saidAt - startedAt, cleanup: performance.now() - saidAt }
    const unexplained = killed === undefined && !common.outOfMemory
    if (!isEnded)
      return {
        ...common,
        code: null,
        bail: unexplained ? 'a runner that stays alive' : null,
        cpuMs: seenCpuMs,
      }
    const { code, signal, cpuMs } = ended
    // Nobody here killed it: a jail for this program alone shows whether it does so by itself.
    const isKilled = signal === 9 && reading.kind === 'nothing' && unexplained
    return {
      ...common,
      code: signal === null ? code : 128 + signal,
      bail:
        signal === badCall ? 'a call that its jail refuses' : isKilled ? 'a process that stays alive' : null,
      cpuMs: Math.max(cpuMs, seenCpuMs),
      parts,
    }
  }

  /**
   * Sends the job to the waiting child. Resolves with how the child or the runner ended. `Promise.race` with
   * the promise of the runner’s exit would retain the results of all runs until that exit.
   */
  #ended(job: ForkedJob): Promise<ChildEnd | ProcessExit> {
    return new Promise((resolve) => {
      const settle = (ended: ChildEnd | ProcessExit) => {
        this.#forked = this.#unexpected
        this.#onExit = () => {}
        resolve(ended)
      }
      if (this.#exit) return settle(this.#exit)
      this.#onExit = settle
      this.#forked = ({ mark, ended }) => {
        this.#mark = mark
        this.#waiting = Promise.withResolvers()
        if (this.#process.port === 0) this.#waiting.resolve(true)
        settle(ended!)
      }
      const frame = encodeFrame(JSON.stringify(job))
      this.#process.frames.write(Buffer.concat([Buffer.from(this.#mark, 'hex'), frame]))
    })
  }

  /** Nobody writes any more: what hasn’t been read stands in the sockets. */
  #readRest() {
    for (const name of streams) {
      const stream = this.#process[name]
      // Reading turns waiting data of the stream into `data` events.
      while (stream.read() !== null);
      if (!readAll(stream, this.#take[name])) this.#tainted = true
    }
  }

  async close() {
    this.#tainted = true
    this.#process.kill()
    await this.#process.exited
  }
}

/**
 * The end of a program whose child was gone before it got the job: it runs again elsewhere, from the start.
 */
const endWithoutChild: CellEnd = {
  killed: undefined,
  code: null,
  reading: { kind: 'nothing' },
  output: '',
  outOfMemory: false,
  bail: 'a runner that stays alive',
  cpuMs: 0,
}
const streams = ['stdout', 'stderr', 'frames'] as const
/** One for all: made anew for each stream it costs more than all else that the host does for a run. */
const readBuffer = Buffer.allocUnsafeSlow(1 << 16)

/** Reads what has come, without waiting. False where the other end has been closed. */
function readAll(stream: Readable, take: (chunk: Buffer) => void): boolean {
  const fd = (stream as unknown as { _handle: { fd: number } | null })._handle?.fd
  if (fd === undefined) return false
  for (;;) {
    try {
      const count = readSync(fd, readBuffer)
      if (count === 0) return false
      take(Buffer.from(readBuffer.subarray(0, count)))
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN'
    }
  }
}
