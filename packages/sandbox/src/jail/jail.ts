/**
 * One jail: a process that may do anything to itself and nothing to anyone else. It is started, given one job, and
 * it ends: by itself or by kill(). After `ended` no process and no file of it is left.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Limits } from '@stateeval/contracts'
import { encodeFrame, FrameReader, type Job, type Reading } from '../protocol.ts'
import type { Runtime } from '../runtime.ts'
import { jailCommand, type Variant } from './command.ts'
import { Output } from './output.ts'
import { descendants } from './process-tree.ts'
import { type Excess, watch } from './watchdog.ts'

export type KillReason = Excess | 'output' | 'frames' | 'requests' | 'aborted'

export interface JailEnd {
  /** Why the host ended it, if it did: the first reason. */
  killed: KillReason | undefined
  code: number | null
  signal: NodeJS.Signals | null
  reading: Reading
  output: string
  /** What V8 or the kernel’s limit said last, where it tells of memory. */
  outOfMemory: boolean
}

/** The jail could not be started: our fault, never the candidate’s. */
export class JailError extends Error {
  override readonly name = 'JailError'
}

const startMs = 30_000
const drainMs = 1000
/** After this long the outer process is ended too, whatever the inner ones do. */
const killMs = 500

export class Jail {
  /** Settles when every process of the jail is gone. Never rejects. */
  readonly ended: Promise<JailEnd>
  readonly #child: ChildProcess
  readonly #limits: Limits
  readonly #variant: Variant
  readonly #output: Output
  readonly #frames: FrameReader
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #killed: KillReason | undefined
  #unwatch = () => {}
  #opened: (() => void) | undefined
  /** The port in the jail where connections are taken; 0 without HTTP. */
  port = 0

  constructor(runtime: Runtime, variant: Variant, limits: Limits, http: boolean) {
    const { command, args, env } = jailCommand(runtime, variant, limits, http)
    this.#limits = limits
    this.#variant = variant
    this.#output = new Output(limits.outputKiB * 1024)
    this.#frames = new FrameReader(limits.resultKiB * 1024)
    this.#child = spawn(command, args, {
      env,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
      detached: variant.level === 'unsafe-process',
    })
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream
        .on('data', (chunk: Buffer) => this.#output.push(stream === this.#child.stderr, chunk) || this.kill('output'))
        .on('error', () => {})
    this.#socket.on('data', (chunk: Buffer) => this.#frames.push(chunk) || this.kill('frames')).on('error', () => {})
    this.ended = this.#whenEnded()
  }

  /** Ready for a job. Rejects with a JailError where the jail ended before, or didn’t come up in time. */
  async ready(): Promise<void> {
    const child = this.#child
    const early = this.ended.then(({ output, code, signal, killed }) => {
      throw new JailError(
        killed
          ? 'The jail was stopped before it was ready'
          : `The jail could not be started (${signal ?? `code ${code}`}): ${output.trim().slice(-500) || 'no message'}`,
      )
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new JailError(`The jail was not ready after ${startMs} ms`)), startMs)
    })
    const handed = new Promise<void>((resolve) => {
      child.once('message', (message, handle) => {
        this.port = (message as { port: number }).port
        this.#server = handle as Server | undefined
        resolve()
      })
    })
    try {
      await Promise.race([handed, early, late])
    } catch (error) {
      this.kill('aborted')
      throw error
    } finally {
      clearTimeout(timer)
      early.catch(() => {})
    }
    // Only our own code has run so far. From here on nothing is read from the channel that may carry handles.
    child.disconnect()
  }

  /** Runs the job. Connections that the code makes go to `accept`; more than the limit of requests end the run. */
  start(job: Job, accept: ((connection: Duplex) => void) | undefined) {
    let connections = 0
    this.#server?.on('connection', (socket) => {
      if (++connections > this.#limits.requests) this.kill('requests')
      this.#sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(socket)
          if (this.#sockets.size === 0) this.#opened?.()
        })
      if (this.#killed || !accept) socket.destroy()
      else accept(socket)
    })
    this.#unwatch = watch(this.#child.pid!, this.#limits, (excess) => this.kill(excess))
    this.#socket.write(encodeFrame(JSON.stringify(job)))
  }

  /** Ends everything in the jail at once. The first reason stays. */
  kill(reason: KillReason) {
    this.#killed ??= reason
    const { pid, exitCode, signalCode } = this.#child
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    const [outer, inner, ...others] = descendants(pid)
    if (this.#variant.level === 'unsafe-process') return [...others, inner, outer].forEach(signal)
    // The first process of the inner namespace takes all others with it; the outer one ends when they are gone.
    signal(inner ?? outer)
    setTimeout(() => [outer, inner].forEach(signal), killMs).unref()
  }

  /** Closes what is left of the connections: after a run that ended by itself, once their last bytes have been read. */
  async closeConnections(graceMs: number) {
    this.#server?.close()
    if (this.#sockets.size > 0 && graceMs > 0) {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        new Promise<void>((resolve) => (this.#opened = resolve)),
        new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs))),
      ])
      clearTimeout(timer)
    }
    for (const socket of this.#sockets) socket.destroy()
  }

  get #socket() {
    return this.#child.stdio[4] as Duplex
  }

  /** The process is gone and all pipes are read to their end. (The child’s own 'close' doesn’t come after a disconnect.) */
  async #whenEnded(): Promise<JailEnd> {
    const pipes = [this.#child.stdout!, this.#child.stderr!, this.#socket]
    const drained = Promise.all(pipes.map((pipe) => new Promise((resolve) => pipe.on('close', resolve))))
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      this.#child.on('exit', (code, signal) => resolve([code, signal]))
      this.#child.on('error', () => this.#child.pid === undefined && resolve([null, null]))
    })
    // Outside a jail, a process that the code has left behind may hold them open.
    const timer = setTimeout(() => pipes.forEach((pipe) => pipe.destroy()), drainMs)
    await drained
    clearTimeout(timer)
    return this.#end(code, signal)
  }

  #end(code: number | null, signal: NodeJS.Signals | null): JailEnd {
    this.#unwatch()
    const { text, outOfMemory } = this.#output.end()
    return { killed: this.#killed, code, signal, reading: this.#frames.read(), output: text, outOfMemory }
  }
}

function signal(pid: number | undefined) {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}
