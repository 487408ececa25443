/**
 * A warm jail: one process that runs program after program, each in a separate isolate or child, never two
 * at once.
 */
import type { CellEnd, CellJob, KillReason } from '../cell.ts'
import {
  type Connections,
  descendants,
  type Idle,
  type JailCommand,
  JailProcess,
  memoryOf,
  type Usage,
} from '@stateeval/jail'
import { heapFull, joined } from '../cells/output.ts'
import { surround } from '../cells/surround.ts'
import { encodeFrame, maxFrameBytes, readOutcome } from '../protocol.ts'
import { maxReportBytes, partsOf, readReport, type WarmJob, type WarmReport } from './protocol.ts'
import { Frames } from './frames.ts'

/** Reasons that the runner itself can be told; then it tells what the program had printed, and goes on. */
const stoppedByWord: ReadonlySet<KillReason> = new Set<KillReason>(['wall', 'cpu', 'requests'])
/** After this long without an answer it is ended by force, in milliseconds. */
const stopMs = 250

export class WarmRunner {
  readonly #process: JailProcess
  #idle: Idle | undefined
  /** Its own processes, which stay. */
  #own: readonly number[] = []
  /**
   * What they used when the last program had ended; where nothing of its own happens between programs, they
   * do still.
   */
  #rest: Usage | undefined
  #printed = ''
  #connections: Connections | undefined
  #tainted = false
  readonly #forks: boolean
  #gone = false
  /** Settles when it has ended, for whatever reason. */
  readonly exited: Promise<unknown>
  /** How many programs it has run. */
  runs = 0

  /**
   * `forks`: programs run in children of it: it takes an empty frame as the word to end one, stays, and does
   * nothing between two.
   */
  constructor(command: JailCommand, forks = false) {
    this.#forks = forks
    this.#process = new JailProcess(command)
    // Programs print through their reports: what comes here is said by the runner itself, and kept for its
    // obituary.
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream.on(
        'data',
        (chunk: Buffer) => (this.#printed = (this.#printed + chunk.toString('latin1')).slice(-2000)),
      )
    this.exited = this.#process.exited.then(() => (this.#gone = true))
  }
  async ready(): Promise<this> {
    await this.#process.ready(() => this.#printed)
    this.#process.server?.on('connection', (socket) => {
      if (this.#connections) this.#connections.take(socket)
      else socket.destroy()
    })
    this.#idle = this.#process.idle()
    this.#own = descendants(this.#process.pid!)
    return this
  }
  /** Whether another program may run here. */
  get usable() {
    return !this.#gone && !this.#tainted
  }
  /** What it holds now beyond what it held when it was ready, in bytes: left there by programs. */
  grown(): number {
    const now = this.#rest?.memoryBytes ?? this.#own.reduce((sum, pid) => sum + memoryOf(pid), 0)
    return now - (this.#idle?.memoryBytes ?? 0)
  }

  async run({ job, ...around }: CellJob): Promise<CellEnd> {
    this.runs++
    let killed: KillReason | undefined
    let ending: NodeJS.Timeout | undefined
    const kill = (reason: KillReason) => {
      if (killed === undefined && this.#forks && stoppedByWord.has(reason)) {
        killed = reason
        this.#process.frames.write(encodeFrame(''))
        ending = setTimeout(() => this.#process.kill(), stopMs)
        return
      }
      killed ??= reason
      this.#tainted = true
      this.#process.kill()
    }
    // Before a program a usable runner has its own processes only: looking for others would take as long
    // again.
    const now = this.#rest ?? this.#process.usage(this.#own)
    const { connections, calls, baseUrl, end } = surround(this.#process, around, kill, {
      idle: this.#idle,
      before: now,
    })
    this.#connections = connections
    const { cpuSeconds, memoryMiB, processes, outputKiB } = around.limits
    const outputBytes = outputKiB * 1024
    const tasks = this.#forks ? this.#process.maxTasks(processes) : null
    const warmJob: WarmJob = { ...job, baseUrl, outputBytes, memoryMiB, cpuSeconds, tasks }
    const frames = new Frames(maxReportBytes(warmJob), () => kill('frames'))
    const take = (chunk: Buffer) => frames.push(chunk)
    const splitter = calls?.splitter(take)
    const listen = splitter ? (chunk: Buffer) => splitter.push(chunk) : take
    this.#process.frames.on('data', listen)
    this.#process.frames.write(encodeFrame(JSON.stringify(warmJob)))
    const text = await Promise.race([frames.next(), this.#process.exited])
    clearTimeout(ending)
    this.#process.frames.off('data', listen)
    const cpuMs = await end(killed)
    if (this.#forks) {
      this.#rest = this.#process.usage(this.#own)
      // As the host sees it: inside, nobody sees processes.
      if (!this.#process.contained && descendants(this.#process.pid!).length > this.#own.length)
        this.#tainted = true
    }
    this.#connections = undefined
    if (connections.exceeded) killed ??= 'requests'
    const report = typeof text === 'string' ? readReport(text) : undefined
    if (typeof report !== 'object' || report.tainted) this.#tainted = true
    return this.#end(
      report,
      killed,
      typeof text === 'object' ? text.code : null,
      job.resultBytes,
      outputBytes,
      cpuMs,
    )
  }

  #end(
    report: WarmReport | string | undefined,
    killed: KillReason | undefined,
    code: number | null,
    resultBytes: number,
    outputBytes: number,
    seenCpuMs: number,
  ): CellEnd {
    // What has told its outcome and ended by itself wasn’t ended by the kernel.
    const bomb =
      !(typeof report === 'object' && report.outcome !== null && report.signal === null) &&
      this.#process.outOfMemory()
    const nothing = { killed, code, output: '', outOfMemory: bomb, bail: null, cpuMs: seenCpuMs }
    if (typeof report === 'string') return { ...nothing, reading: { kind: 'violation', reason: report } }
    if (report === undefined) {
      const outOfMemory = bomb || this.#printed.includes(heapFull)
      // It ended under the program’s hands: a jail of its own shows what the program does by itself.
      const bail = killed === undefined && !outOfMemory ? 'a runner that stays alive' : null
      return { ...nothing, outOfMemory, bail, reading: { kind: 'nothing' } }
    }
    const { outcome, violation, out, err, flood, outOfMemory, cpuMs, signal } = report
    const isKilled =
      signal === 9 && outcome === null && killed === undefined && !flood && !outOfMemory && !bomb
    // Nobody here killed it: a jail of its own shows whether it does so by itself.
    const bail = report.bail ?? (isKilled ? 'a process that stays alive' : null)
    return {
      killed: killed ?? (flood ? 'output' : undefined),
      code: signal === null ? report.code : 128 + signal,
      reading:
        violation !== null
          ? { kind: 'violation', reason: violation }
          : outcome === null
            ? { kind: 'nothing' }
            : outcome.length > maxFrameBytes(resultBytes)
              ? { kind: 'violation', reason: 'too long' }
              : readOutcome(outcome),
      output: joined(out, err, outputBytes),
      outOfMemory: outOfMemory || bomb,
      bail,
      cpuMs: Math.max(cpuMs, seenCpuMs),
      parts: partsOf(report),
    }
  }

  async close() {
    this.#tainted = true
    this.#process.kill()
    await this.#process.exited
  }
}
