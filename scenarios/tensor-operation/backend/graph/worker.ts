/** One process of ONNX Runtime, with one graph at a time. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { spawnWithoutInherited } from '@stateeval/jail/descriptors'
import { measureGraph } from './check.ts'
import type { GraphAnswer, GraphRequest } from './messages.ts'
import { DeviceMemoryError, type GraphProvider, hasOutOfMemoryWords } from './provider.ts'
import type { GraphComputation, RuntimeCounts } from './sessions.ts'

/** Bounded work (check.ts) takes a few seconds at most, on a busy machine. */
const longestMs = 60_000
/** More for each MiB of a graph's tensors: large ones take a second for some hundred. */
const msForMiB = 100
/** Variables of the environment that our processes need: none of the service's. */
const passedNames = /^(PATH|HOME|TMPDIR|LANG|LD_LIBRARY_PATH|XDG_DATA_DIRS)$|^(CUDA|NVIDIA|ORT|VK|MESA|DAWN)_/
export type WorkerEnvironment = Readonly<Record<string, string | undefined>>
export const selectPassed = (env: WorkerEnvironment) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => passedNames.test(name)))
/** Limit of the kept stderr, in characters. */
const keptText = 2000

export type TriedProvider = Extract<GraphAnswer, { kind: 'tried' }>

/** The process ended, or was ended, over what it was doing. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded'
  /** The kernel ends it first where memory is used up, and says so to nobody. */
  readonly isForMemory: boolean
  constructor(message: string, isForMemory = false) {
    super(message)
    this.isForMemory = isForMemory
  }
}

export class GraphWorker {
  isBusy = false
  /** Settles when it has ended. */
  readonly exit: Promise<void>
  readonly #child: ChildProcess
  readonly #ready: Promise<void>
  #counts: RuntimeCounts = { created: 0, reused: 0 }
  #taken: RuntimeCounts = { created: 0, reused: 0 }
  #heard: { tell(answer: GraphAnswer): void; fail(error: Error): void } | undefined
  /** Answers that nobody has waited for yet. */
  readonly #early: GraphAnswer[] = []
  #ended: WorkerEnded | undefined
  #said = ''

  /** `tries`: providers that it tries at its start, see `tried`. */
  constructor(env: WorkerEnvironment, tries: readonly GraphProvider[] = []) {
    // Its stderr is kept short: drivers can write there without end.
    this.#child = spawnWithoutInherited(['ignore', 'ignore', 'pipe', 'ipc'], (stdio) =>
      fork(join(import.meta.dirname, 'process.ts'), [...tries], {
        execArgv: [],
        env: {
          ...selectPassed(env),
          // CUDA's libraries read it when they are loaded: products keep all bits of float32
          // (docs/decisions/tensor-tolerance.md).
          NVIDIA_TF32_OVERRIDE: '0',
        },
        serialization: 'advanced',
        stdio,
      }),
    )
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-keptText)
    })
    ;(this.#child.stderr as { unref?(): void } | null)?.unref?.()
    this.#child.on('message', (answer) => {
      // Several may come at once: one for each who waits.
      const heard = this.#heard
      this.#heard = undefined
      if (heard) heard.tell(answer as GraphAnswer)
      else this.#early.push(answer as GraphAnswer)
    })
    this.exit = new Promise((resolve) => {
      const end = (how: string) => {
        const lastLine = this.#said.trim().split('\n').at(-1)
        this.#ended = new WorkerEnded(
          `the process of ONNX Runtime ended (${how}${lastLine ? `: ${lastLine}` : ''})`,
          how === 'SIGKILL' || hasOutOfMemoryWords(this.#said),
        )
        this.#heard?.fail(this.#ended)
        resolve()
      }
      // After its last words.
      this.#child.on('close', (code, signal) => end(signal ?? `code ${code}`))
      this.#child.on('error', (error) => this.#child.pid === undefined && end(error.message))
    })
    this.#ready = tries.length > 0 ? Promise.resolve() : this.#up()
    this.#ready.catch(() => {})
  }

  get pid() {
    return this.#child.pid
  }

  /**
   * Waits for the result of the next provider; null when it has tried all and is ready. Rejects where the
   * process ends, or is ended because it takes too long.
   */
  async tried(deadlineMs: number): Promise<TriedProvider | null> {
    const answer = await this.#within(deadlineMs, this.#next())
    if (answer.kind === 'tried') return answer
    if (answer.kind === 'ready') return null
    throw new Error(`the process of ONNX Runtime said ${answer.kind} before it was ready`)
  }

  /** Rejects where ONNX Runtime refuses the graph, or its process ends over it. */
  async run(request: GraphRequest): Promise<GraphComputation> {
    await this.#ready
    this.#said = ''
    const answer = this.#next()
    // The end of a process shows that it is gone.
    this.#child.send(request, () => {})
    const ms = longestMs + (msForMiB * measureGraph(request.graph)) / 2 ** 20
    const heard = await this.#within(ms, answer)
    if (heard.kind === 'failed')
      throw heard.outOfMemory
        ? new DeviceMemoryError(`${request.provider} is out of memory: ${heard.message}`)
        : new Error(`ONNX Runtime: ${heard.message}`)
    if (heard.kind !== 'values') throw new Error('no answer')
    this.#counts = heard.counts
    return {
      values: new Map(heard.values),
      summaries: new Map(heard.summaries),
      operations: heard.operations,
      copies: heard.copies,
    }
  }

  /** Sessions that it made and used again since this was asked last. */
  takeCounts(): RuntimeCounts {
    const [now, before] = [this.#counts, this.#taken]
    this.#taken = now
    return { created: now.created - before.created, reused: now.reused - before.reused }
  }

  async end() {
    this.#child.ref()
    this.#child.kill('SIGKILL')
    await this.exit
  }

  async #up() {
    const answer = await this.#within(longestMs, this.#next())
    if (answer.kind !== 'ready')
      throw new Error('the process of ONNX Runtime sent a message before it was ready')
  }

  async #within<T>(ms: number, work: Promise<T>): Promise<T> {
    let late = false
    const timer = setTimeout(() => {
      late = true
      this.#child.kill('SIGKILL')
    }, ms)
    try {
      return await work
    } catch (error) {
      throw late ? new WorkerEnded(`no answer within ${ms / 1000} s; the process was ended`) : error
    } finally {
      clearTimeout(timer)
    }
  }

  /** While nobody waits for it, it keeps no program alive. */
  #next(): Promise<GraphAnswer> {
    const early = this.#early.shift()
    if (early) return Promise.resolve(early)
    if (this.#ended) return Promise.reject(this.#ended)
    this.#child.ref()
    this.#child.channel?.ref()
    return new Promise<GraphAnswer>((tell, fail) => {
      this.#heard = { tell, fail }
    }).finally(() => {
      this.#heard = undefined
      this.#child.unref()
      this.#child.channel?.unref()
    })
  }
}
