/**
 * ONNX Runtime in processes of its own, each with one graph at a time: a graph that ends its process, or
 * never ends, fails alone, and the next one gets a new process. They start when there is work for them and
 * stay.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { withoutInherited } from '@stateeval/sandbox/descriptors'
import type { Computed, GraphAnswer, GraphRequest } from './messages.ts'
import type { Provider, Runtime } from './sessions.ts'

export interface RemoteRuntime extends Runtime {
  /** Of this machine, best first. */
  providers: readonly Provider[]
  /** The processes that there are now. */
  pids(): number[]
}

/** A process takes about 90 MiB. */
const maxProcesses = 4
/** Bounded work (check.ts) takes a few seconds at most, on a busy machine. */
const longestMs = 60_000
/** What a process of ours needs of the environment: nothing of the service’s. */
const passedNames = /^(PATH|HOME|TMPDIR|LANG|LD_LIBRARY_PATH)$|^(CUDA|NVIDIA|ORT)_/

/** Rejects where the process can’t start: what it said is on stderr. */
export async function createRemoteRuntime(
  maxWorkers = Math.min(maxProcesses, availableParallelism()),
): Promise<RemoteRuntime> {
  const workers = new Set<Worker>()
  const waiting: (() => void)[] = []
  const total = { created: 0, reused: 0 }
  let closed = false

  const hire = () => {
    const worker = new Worker(({ created, reused }) => {
      total.created += created
      total.reused += reused
    })
    workers.add(worker)
    void worker.gone.then(() => {
      workers.delete(worker)
      waiting.shift()?.()
    })
    return worker
  }
  /** One that is free, before its next graph is sent: nothing comes between. */
  async function take(): Promise<Worker> {
    for (;;) {
      if (closed) throw new Error('the tensor runtime is closed')
      const free =
        [...workers].find((worker) => !worker.taken) ?? (workers.size < maxWorkers ? hire() : undefined)
      if (free) {
        free.taken = true
        return free
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }

  const first = hire()
  const providers = await first.ready
  return {
    provider: providers[0]!,
    providers,
    pids: () => [...workers].flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    async run(graph, wanted) {
      const worker = await take()
      try {
        return await worker.run({ graph, wanted })
      } finally {
        worker.taken = false
        waiting.shift()?.()
      }
    },
    counts: () => ({ ...total }),
    async close() {
      closed = true
      for (const next of waiting.splice(0)) next()
      await Promise.all([...workers].map((worker) => worker.end()))
    },
  }
}

class Worker {
  taken = false
  readonly ready: Promise<Provider[]>
  /** Settles when it has ended. */
  readonly gone: Promise<void>
  readonly #child: ChildProcess
  readonly #counted: (more: { created: number; reused: number }) => void
  #counts = { created: 0, reused: 0 }
  #heard: { tell(answer: GraphAnswer): void; fail(error: Error): void } | undefined
  #ended = ''

  constructor(counted: (more: { created: number; reused: number }) => void) {
    this.#counted = counted
    this.#child = withoutInherited(['ignore', 'ignore', 'inherit', 'ipc'], (stdio) =>
      fork(join(import.meta.dirname, 'process.ts'), [], {
        execArgv: [],
        env: {
          ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passedNames.test(name))),
          // CUDA's libraries read it when they are loaded: products keep all bits of float32
          // (docs/decisions/tensor-tolerance.md).
          NVIDIA_TF32_OVERRIDE: '0',
        },
        serialization: 'advanced',
        stdio,
      }),
    )
    this.#child.on('message', (answer) => this.#heard?.tell(answer as GraphAnswer))
    this.gone = new Promise((resolve) => {
      const end = (how: string) => {
        this.#ended = `the process of ONNX Runtime ended (${how})`
        this.#heard?.fail(new Error(this.#ended))
        resolve()
      }
      this.#child.on('exit', (code, signal) => end(signal ?? `code ${code}`))
      this.#child.on('error', (error) => this.#child.pid === undefined && end(error.message))
    })
    this.ready = this.#next().then((answer) => {
      if (answer.kind !== 'ready')
        throw new Error('the process of ONNX Runtime said something before it was ready')
      return answer.providers
    })
    this.ready.catch(() => {})
  }

  get pid() {
    return this.#child.pid
  }

  /** Rejects where ONNX Runtime refuses the graph, or its process ends over it. */
  async run(request: GraphRequest): Promise<Map<number, Computed>> {
    await this.ready
    const late = setTimeout(() => this.#child.kill('SIGKILL'), longestMs)
    try {
      const answer = this.#next()
      // A process that is gone is told by its end.
      this.#child.send(request, () => {})
      const heard = await answer
      if (heard.kind !== 'values')
        throw new Error(heard.kind === 'failed' ? `ONNX Runtime: ${heard.message}` : 'no answer')
      const { created, reused } = heard.counts
      this.#counted({ created: created - this.#counts.created, reused: reused - this.#counts.reused })
      this.#counts = heard.counts
      return new Map(heard.values)
    } finally {
      clearTimeout(late)
    }
  }

  async end() {
    this.#child.ref()
    this.#child.kill('SIGKILL')
    await this.gone
  }

  /** While nobody waits for it, it keeps no program alive. */
  #next(): Promise<GraphAnswer> {
    if (this.#ended) return Promise.reject(new Error(this.#ended))
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
