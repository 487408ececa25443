/** A separate jail for one program: it starts, gets one job, and ends, by itself or by force. */
import type { ExecutionLimits } from '@stateeval/contracts'
import type { ProgramCell, CellEnd, CellJob, KillReason } from '../cell.ts'
import { encodeFrame, FrameReader, type InputJob } from '../protocol.ts'
import type { IsolationLevel } from '../level.ts'
import { type IdleUsage, type JailCommand, JailProcess } from '@stateeval/jail'
import { ProgramOutput } from './output.ts'
import { surroundJob } from './surround.ts'

export class JailCell implements ProgramCell {
  readonly level: IsolationLevel
  readonly #process: JailProcess
  readonly #output: ProgramOutput
  readonly #frames: FrameReader
  readonly #preloaded: boolean
  #idle: IdleUsage | undefined
  #killed: KillReason | undefined
  #take = (chunk: Buffer): void => void (this.#frames.push(chunk) || this.#kill('frames'))

  /** `preloaded`: what the process has before its job isn’t the program’s. */
  constructor(command: JailCommand, level: IsolationLevel, limits: ExecutionLimits, preloaded = false) {
    this.level = level
    this.#preloaded = preloaded
    this.#output = new ProgramOutput(limits.outputKiB * 1024, !preloaded)
    this.#frames = new FrameReader(limits.resultKiB * 1024)
    const jail = new JailProcess(command)
    this.#process = jail
    for (const stream of [jail.stdout, jail.stderr])
      stream.on(
        'data',
        (chunk: Buffer) => this.#output.push(stream === jail.stderr, chunk) || this.#kill('output'),
      )
    jail.frames.on('data', (chunk: Buffer) => this.#take(chunk))
  }

  get pid() {
    return this.#process.pid
  }

  /** Rejects with a JailError where none is available. */
  async ready(): Promise<void> {
    await this.#process.ready(() => this.#output.end().text)
    // A container holds a kernel besides.
    if (this.#preloaded || this.#process.contained) this.#idle = this.#process.idle()
  }

  async run({ job, ...around }: CellJob): Promise<CellEnd> {
    this.#process.limitProcesses(around.limits.processes)
    const { connections, calls, baseUrl, end } = surroundJob(
      this.#process,
      around,
      (reason) => this.#kill(reason),
      { idle: this.#idle },
    )
    const splitter = calls?.splitter(this.#take)
    if (splitter) this.#take = (chunk) => splitter.push(chunk)
    this.#process.server?.on('connection', (socket) => connections.take(socket))
    this.#process.frames.write(encodeFrame(JSON.stringify({ ...job, baseUrl } satisfies InputJob)))
    const { code } = await this.#process.exited
    splitter?.end()
    const cpuMs = await end(this.#killed)
    const { text: output, outOfMemory: reportedOutOfMemory } = this.#output.end()
    const outOfMemory = reportedOutOfMemory || this.#process.outOfMemory()
    if (connections.exceeded) this.#killed ??= 'requests'
    return {
      killed: this.#killed,
      code,
      reading: this.#frames.read(),
      output,
      outOfMemory,
      bail: null,
      cpuMs,
    }
  }

  async release() {
    this.#process.kill()
    await this.#process.exited
  }

  /** The first reason stays. */
  #kill(reason: KillReason) {
    this.#killed ??= reason
    this.#process.kill()
  }
}
