/**
 * A warm jail of JavaScript: one process that runs program after program, each in a separate isolate, never
 * two at once.
 */
import type { CellEnd, CellJob, KillReason } from '../cell.ts'
import {
  type Connections,
  descendants,
  type Idle,
  type JailCommand,
  JailProcess,
  memoryOf,
} from '@stateeval/jail'
import { heapFull, joined } from '../cells/output.ts'
import { surround } from '../cells/surround.ts'
import { encodeFrame, maxFrameBytes, readOutcome } from '../protocol.ts'
import { maxReportBytes, partsOf, readReport, type WarmJob, type WarmReport } from './protocol.ts'
import { Frames } from './frames.ts'

export class WarmRunner {
  readonly #process: JailProcess
  #idle: Idle | undefined
  /** Its own processes, which stay. */
  #own: readonly number[] = []
  #printed = ''
  #connections: Connections | undefined
  #tainted = false
  #gone = false
  /** Settles when it has ended, for whatever reason. */
  readonly exited: Promise<unknown>
  /** How many programs it has run. */
  runs = 0

  constructor(command: JailCommand) {
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
    return this.#own.reduce((sum, pid) => sum + memoryOf(pid), 0) - (this.#idle?.memoryBytes ?? 0)
  }

  async run({ job, ...around }: CellJob): Promise<CellEnd> {
    this.runs++
    let killed: KillReason | undefined
    const kill = (reason: KillReason) => {
      killed ??= reason
      this.#tainted = true
      this.#process.kill()
    }
    // Before a program a usable runner has its own processes only: looking for others would take as long
    // again.
    const before = this.#process.usage(this.#own)
    const { connections, calls, baseUrl, end } = surround(this.#process, around, kill, {
      idle: this.#idle,
      before,
    })
    this.#connections = connections
    const { cpuSeconds, memoryMiB, outputKiB } = around.limits
    const outputBytes = outputKiB * 1024
    const warmJob: WarmJob = { ...job, baseUrl, outputBytes, memoryMiB, cpuSeconds }
    const frames = new Frames(maxReportBytes(warmJob), () => kill('frames'))
    const take = (chunk: Buffer) => frames.push(chunk)
    const splitter = calls?.splitter(take)
    const listen = splitter ? (chunk: Buffer) => splitter.push(chunk) : take
    this.#process.frames.on('data', listen)
    this.#process.frames.write(encodeFrame(JSON.stringify(warmJob)))
    const text = await Promise.race([frames.next(), this.#process.exited])
    this.#process.frames.off('data', listen)
    const cpuMs = await end(killed)
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
