/**
 * ONNX Runtime in separate processes, each with one graph at a time: a graph that ends its process, or never
 * ends, fails alone, and the next one gets a new process. They start when there is work for them and stay.
 * Each has its own sessions, so programs that share a device do not wait for each other's.
 */
import { availableParallelism } from 'node:os'
import type { FoundProvider } from '@stateeval/contracts'
import { bounds, measureGraph, type CheckedGraph } from './check.ts'
import { type ProviderChoice, findProviders, retryProvider } from './find-providers.ts'
import { MemoryBudget, MemoryError } from './budget.ts'
import { DeviceMemoryError, type GraphProvider } from './provider.ts'
import {
  type GraphComputation,
  type GraphRuntime,
  type RuntimeCounts,
  computeStructureKey,
} from './sessions.ts'
import { type WorkerEnvironment, GraphWorker, WorkerEnded } from './worker.ts'

export interface RemoteRuntime extends Omit<GraphRuntime, 'counts' | 'run'> {
  /**
   * `summarized`: outputs that are large, of which summaries are given. When the signal fires, the process
   * that computes the graph ends.
   */
  run(
    graph: CheckedGraph,
    outputs: readonly number[],
    provider?: GraphProvider,
    summarized?: readonly number[],
    signal?: AbortSignal,
  ): Promise<GraphComputation>
  /** Providers of this machine, best first. */
  providers(): FoundProvider[]
  /** The provider of graphs that ask for no other one; or why none can compute them. */
  provider(): { provider: GraphProvider } | { problem: string }
  /** Graphs that were run, and their sessions. */
  counts(): Record<string, RuntimeCounts & { graphs: number }>
  /** The processes that there are now. */
  pids(): number[]
}

/** A process takes about 90 MiB. */
const maxProcesses = 4
/** A device whose process ends so often in a row is tried again. */
const maxEnds = 3
/** Structures that a device had no memory for. */
const maxRemembered = 1000

interface RemoteOptions {
  maxWorkers?: number
  choice?: ProviderChoice
  /** How long a provider may take to be tried. */
  probeMs?: number
  /** Limit of one graph's tensors on a device, in bytes. Default: as much as it has. */
  deviceBytes?: number
  /** Limit of the tensors of all graphs that run may take here together, in bytes. */
  memoryBytes?: number
  /** Names drivers and libraries. Default: this process's own. */
  env?: WorkerEnvironment
}

/** Rejects where not even the CPU provider works: what it said is the reason. */
export async function createRemoteRuntime({
  maxWorkers = Math.min(maxProcesses, availableParallelism()),
  choice = 'auto',
  probeMs = 30_000,
  deviceBytes = Infinity,
  memoryBytes = Infinity,
  env = process.env,
}: RemoteOptions = {}): Promise<RemoteRuntime> {
  const workers = new Set<GraphWorker>()
  const waiting: (() => void)[] = []
  const totals = new Map<GraphProvider, RuntimeCounts & { graphs: number }>()
  const ends = new Map<GraphProvider, number>()
  const tooLarge = new Set<string>()
  const budget = new MemoryBudget(memoryBytes)
  let closed = false

  const keep = (worker: GraphWorker) => {
    workers.add(worker)
    void worker.exit.then(() => {
      workers.delete(worker)
      waiting.shift()?.()
    })
    return worker
  }
  /** One that is free, before its next graph is sent: nothing comes between. */
  async function take(): Promise<GraphWorker> {
    for (;;) {
      if (closed) throw new Error('the tensor runtime is closed')
      const free =
        [...workers].find((worker) => !worker.isBusy) ??
        (workers.size < maxWorkers ? keep(new GraphWorker(env)) : undefined)
      if (free) {
        free.isBusy = true
        return free
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }

  const { candidates, worker: first } = await findProviders(choice, probeMs, env)
  keep(first)

  function remember(structure: string) {
    if (tooLarge.size >= maxRemembered) tooLarge.delete([...tooLarge][0]!)
    tooLarge.add(structure)
  }

  /**
   * A driver that ends processes is tried again. It takes no more graphs only where its trial fails as well:
   * a program must not take a device from all others.
   */
  async function noteEnd(provider: GraphProvider, why: string) {
    const count = (ends.get(provider) ?? 0) + 1
    ends.set(provider, count)
    if (provider === 'cpu' || count < maxEnds) return
    ends.delete(provider)
    const problem = await retryProvider(provider, probeMs, env)
    const entry = candidates.find((one) => one.provider === provider)
    if (problem === null || !entry) return
    entry.available = false
    entry.reason = `given up: ${maxEnds} graphs in a row ended their process (${why}), and trying it again failed: ${problem}. Restart execution when the driver works`
  }

  return {
    providers: () => candidates.map((one) => ({ ...one })),
    provider() {
      const match = candidates.find(({ provider, available, reason }) =>
        choice === 'auto' ? available && reason === undefined : provider === choice,
      )
      if (match?.available) return { provider: match.provider }
      return {
        problem: `STATEEVAL_TENSOR_PROVIDER is ${choice}, which is unavailable: ${match?.reason ?? 'unknown'}`,
      }
    },
    pids: () => [...workers].flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    async run(graph, outputs, preferred = 'cpu', summarized = [], signal) {
      signal?.throwIfAborted()
      // A graph that exceeded a device's memory is computed elsewhere when it comes again.
      const structure = preferred === 'cpu' ? '' : `${preferred} ${computeStructureKey(graph, outputs)}`
      const provider = tooLarge.has(structure) ? 'cpu' : preferred
      if (provider !== 'cpu' && measureGraph(graph) > deviceBytes) {
        remember(structure)
        throw createTooMuch(graph, provider, deviceBytes)
      }
      const bytes = measureGraph(graph)
      const isLarge = bytes > bounds.bytes
      const giveBack = isLarge ? await budget.take(bytes) : () => {}
      const worker = await take().catch((error: unknown) => {
        giveBack()
        throw error
      })
      let keepsServing = true
      const stop = () => {
        keepsServing = false
        void worker.end()
      }
      signal?.addEventListener('abort', stop, { once: true })
      try {
        if (signal?.aborted) throw signal.reason as Error
        const computation = await worker.run({ graph, outputs, provider, summarized })
        ends.delete(provider)
        const total = totals.get(provider) ?? { graphs: 0, created: 0, reused: 0 }
        const more = worker.takeCounts()
        totals.set(provider, {
          graphs: total.graphs + 1,
          created: total.created + more.created,
          reused: total.reused + more.reused,
        })
        return computation
      } catch (error) {
        if (signal?.aborted) throw error
        if (error instanceof WorkerEnded && !closed) await noteEnd(provider, error.message)
        if (error instanceof DeviceMemoryError) {
          if (provider !== 'cpu') remember(structure)
          // Ending the process frees the memory of its sessions, on the device too.
          keepsServing = false
          void worker.end()
        }
        throw error instanceof WorkerEnded && error.isForMemory && !closed
          ? new MemoryError(`${error.message}; if nobody ended it, this machine is short of memory`)
          : error
      } finally {
        signal?.removeEventListener('abort', stop)
        if (isLarge) {
          // Its memory is given back at once, not when garbage is collected.
          keepsServing = false
          await worker.end()
          giveBack()
        }
        worker.isBusy = !keepsServing
        waiting.shift()?.()
      }
    },
    counts: () => Object.fromEntries([...totals].map(([provider, counts]) => [provider, { ...counts }])),
    async close() {
      closed = true
      for (const next of waiting.splice(0)) next()
      await Promise.all([...workers].map((worker) => worker.end()))
    },
  }
}

const createTooMuch = (graph: CheckedGraph, provider: GraphProvider, most: number) =>
  new DeviceMemoryError(
    `${provider} is out of memory: the tensors of the graph take ${measureGraph(graph)} bytes, and it may use ${most} (STATEEVAL_TENSOR_DEVICE_MIB)`,
  )
