/**
 * The world of tensor-operation (sandbox/world.ts): nothing but numbers, computed by ONNX Runtime for
 * programs in JavaScript.
 */
import { toJson, type JsonValue, type LoggedRequest, isRecord } from '@stateeval/contracts'
import { readOwnLimits } from '@stateeval/jail'
import type { CallReply, WorldCanary, OpenWorld, TensorProviders, SandboxWorld } from '@stateeval/sandbox'
import { encodeBase64, maxBlocks, maxLargeElements } from '@stateeval/program'
import { InitialError } from '@stateeval/sandbox/initial-error'
import { carriedElements, isLarge } from '../large.ts'
import { defaultElements } from '../state.ts'
import { tools } from '../tools.ts'
import {
  computeGraphBounds,
  checkGraph,
  type CheckedGraph,
  count,
  GraphError,
  sizes,
  type GraphValue,
} from './graph/check.ts'
import type { ProviderChoice } from './graph/find-providers.ts'
import type { ProviderOperations, GraphProvider } from './graph/provider.ts'
import { createRemoteRuntime, type RemoteRuntime } from './graph/remote.ts'
import type { WorkerEnvironment } from './graph/worker.ts'
import type { GraphReply } from './graph/wire.ts'
import { getSurfaceOnce } from './surface.ts'
import { ToolCalls } from './tool-calls.ts'

export interface TensorWorld extends SandboxWorld {
  tensors: TensorProviders
  /** The processes of ONNX Runtime that there are now. */
  pids(this: void): readonly number[]
}

const maxLogged = 200
/** Limit of logged arguments and answers. */
const maxLoggedCharacters = 2000
type ComputedTensor = GraphValue & { bytes: Uint8Array }

interface WorldOptions {
  /** The value of STATEEVAL_TENSOR_PROVIDER. */
  choice?: ProviderChoice
  /** Limit of the tensors of one graph on a device, in bytes. Default: as much as it has. */
  deviceBytes?: number
  /** Limit of the tensors of all large graphs here together, in bytes. Default: half of the memory. */
  memoryBytes?: number
  /** Names drivers and libraries. Default: this process's own. */
  env?: WorkerEnvironment
}

const canary: WorldCanary = {
  world: {},
  variables: { a: { $tensor: { dtype: 'float32', shape: [1, 2], data: 'AACAPwAAAEA=' } } },
  calls: [['cat', { tensors: ['a', 'a'], dim: 0 }]],
}

/** Opens nothing before the first run. */
export function createTensorWorld({
  choice = 'auto',
  memoryBytes = readOwnLimits().memoryBytes / 2,
  ...options
}: WorldOptions = {}): TensorWorld {
  let runtime: Promise<RemoteRuntime> | undefined
  let running: RemoteRuntime | undefined
  /** A provider that cannot start now may start the next time, so failures are forgotten. */
  const start = () => {
    if (runtime) return runtime
    const starting = createRemoteRuntime({ choice, memoryBytes, ...options })
    starting.catch(() => (runtime = undefined))
    return (runtime = starting)
  }
  const open =
    (preferred?: GraphProvider): SandboxWorld['open'] =>
    async (initial, limits) => {
      const elements = countMostElements(initial)
      running = await start()
      return openWorld(running, chooseProvider(running, preferred), limits.resultKiB * 1024, elements)
    }
  const world: TensorWorld = {
    id: 'tensor-operation',
    canary,
    // Only who names CUDA hands a GPU's device files to jails, where hostile code is (docs/security.md).
    preloads: { python: choice === 'cuda' ? ['torch', 'torch.cuda'] : ['torch'] },
    tensors: {
      state: async () => {
        const tried = await start()
        return { providers: tried.providers(), default: tried.provider() }
      },
      on: (provider) => ({
        ...world,
        ...(provider !== 'cuda' && { preloads: { python: ['torch'] } }),
        open: open(provider),
      }),
      counts: () => running?.counts() ?? {},
    },
    pids: () => running?.pids() ?? [],
    tools: () => tools,
    open: open(),
    async close() {
      const open = runtime
      runtime = undefined
      await (await open?.catch(() => undefined))?.close()
    },
  }
  return world
}

/** Throws the reason where none is available. */
function chooseProvider(runtime: RemoteRuntime, preferred: GraphProvider | undefined): GraphProvider {
  if (preferred !== undefined) {
    const entry = runtime.providers().find(({ provider }) => provider === preferred)
    if (entry?.available) return preferred
    throw new Error(`${preferred} is unavailable: ${entry?.reason ?? 'unknown'}`)
  }
  const selection = runtime.provider()
  if ('provider' in selection) return selection.provider
  throw new Error(selection.problem)
}

/** The most elements that a tensor of the world may have. */
function countMostElements(initial: JsonValue): number {
  if (!isRecord(initial)) throw new InitialError('world: give an object; {} is enough')
  const { elements } = initial as { elements?: unknown }
  if (elements !== undefined && !(Number.isSafeInteger(elements) && (elements as number) > 0))
    throw new InitialError(
      'world.elements: give the maximum number of elements in a tensor, an integer from 1',
    )
  if ((elements as number) > maxLargeElements)
    throw new InitialError(`world.elements: a tensor may have ${maxLargeElements} elements at most`)
  return (elements as number | undefined) ?? defaultElements
}

function openWorld(
  runtime: Pick<RemoteRuntime, 'run'>,
  provider: GraphProvider,
  answerBytes: number,
  elements: number,
): OpenWorld {
  const bounds = computeGraphBounds(elements)
  const large = isLarge(elements)
  const log: LoggedRequest[] = []
  /** The device on which PyTorch computes, in the jail. */
  let pytorch: GraphProvider | undefined
  let operations: ProviderOperations | undefined
  /** The graph before: one at a time, so that a run holds the memory of one. */
  let before: Promise<unknown> = Promise.resolve()
  const keptTensors = new Map<number, ComputedTensor>()
  let keptBytes = 0
  /** Ends every request of the run. */
  const ending = new AbortController()

  const note = (request: Omit<LoggedRequest, 'method'>) => {
    if (log.length < maxLogged) log.push({ method: 'CALL', ...request })
  }

  async function run(args: JsonValue, ofProgram = false): Promise<JsonValue> {
    const graph = checkGraph(args, keptTensors, bounds)
    const summarized =
      large && graph.summarize ? graph.outputs.filter((place) => isLargeNode(graph, place)) : []
    checkFit(graph, answerBytes, summarized)
    // Large values are not worth sending to and fro: they are computed again.
    const keep = large ? graph.keep.filter(([place]) => !isLargeNode(graph, place)) : graph.keep
    const places = [...graph.outputs, ...keep.map(([place]) => place)]
    const computation = await runtime.run(graph, places, provider, summarized, ending.signal)
    const { values, summaries } = computation
    operations = addOperations(operations, computation.operations)
    for (const [place, number] of keep) {
      const value = values.get(place)!
      keptBytes += value.bytes.length
      if (keptBytes > bounds.keptBytes)
        throw new GraphError(
          `the run has computed more than ${bounds.keptBytes} bytes of intermediate values`,
        )
      keptTensors.set(number, value)
    }
    const reply: GraphReply = {
      outputs: graph.outputs.map((place) => {
        const { dtype, shape } = graph.nodes[place]!
        const summary = summaries?.get(place)
        const value = summary
          ? { summary: toJson(summary) }
          : { data: encodeBase64(values.get(place)!.bytes) }
        return { dtype, shape: [...shape], ...value }
      }),
      ...(keep.length < graph.keep.length && { kept: keep.map(([, number]) => number) }),
    }
    if (ofProgram) {
      const operations = graph.nodes.filter(({ bytes }) => !bytes).length
      note({ path: 'run', status: 200, responseBody: JSON.stringify({ operations }) })
    }
    return reply
  }
  const toolCalls = new ToolCalls({
    run: (graph) => run(toJson(graph)) as Promise<never>,
    isLarge: large,
    elements: bounds.elements,
    bytes: bounds.keptBytes,
  })

  return {
    take: (variables) => Promise.resolve(toolCalls.take(variables)),
    resolve: (result) => toolCalls.resolve(result),
    async call(tool, args) {
      const reply = await toolCalls.call(tool, args)
      const short = (text: string) => text.slice(0, maxLoggedCharacters)
      note({
        path: tool.slice(0, 100),
        status: reply.error ? 400 : 200,
        requestBody: short(JSON.stringify(args)),
        responseBody: short(reply.content),
      })
      return reply
    },
    channel: {
      kind: 'calls',
      surface: getSurfaceOnce(),
      async handle(name, args): Promise<CallReply> {
        if (name === 'device') {
          // Said before any code of the program runs; what is said later is the program's.
          pytorch ??= args === 'cuda' ? 'cuda' : 'cpu'
          return { ok: true, value: large ? { elements, carried: carriedElements } : null }
        }
        if (name === 'elements') return { ok: true, value: bounds.elements }
        if (name !== 'run') return refuseTensorCall(`there is no function ${name.slice(0, 50)}`)
        const work = before.then(() => run(args, true))
        before = work.catch(() => {})
        try {
          return { ok: true, value: await work }
        } catch (error) {
          if (error instanceof GraphError) return refuseTensorCall(error.message)
          // Which values are divided by shows only here; torch asks before, other code may not.
          if (/Integer (division|modulo) by zero/.test((error as Error).message))
            return refuseTensorCall('ZeroDivisionError')
          throw error
        }
      },
    },
    observe: () =>
      Promise.resolve({
        world: { state: {}, ids: { initial: [], created: [] }, gone: [] },
        log: [...log],
        faults: [],
        ...((pytorch ?? operations) && {
          tensors: pytorch
            ? { provider: pytorch, operations: {} }
            : { provider, operations: operations ?? {} },
        }),
      }),
    close: () => {
      ending.abort(new Error('the run has ended'))
      keptTensors.clear()
      return Promise.resolve()
    },
  }
}

function addOperations(before: ProviderOperations = {}, more: ProviderOperations): ProviderOperations {
  const sums = { ...before }
  for (const [provider, count] of Object.entries(more) as [GraphProvider, number][])
    sums[provider] = (sums[provider] ?? 0) + count
  return sums
}

/** The same value may be asked for many times: what all of them take is known before anything is computed. */
function checkFit({ nodes, outputs }: CheckedGraph, maxBytes: number, summarized: readonly number[]) {
  let bytes = 0
  for (const place of outputs)
    bytes += overheadOfOutput + (summarized.includes(place) ? summaryLength : measureBase64(nodes[place]!))
  if (bytes > maxBytes)
    throw new GraphError(`the answer would be longer than ${Math.floor(maxBytes / 1024)} KiB`)
}
/** Type, shape, names of the fields: at least. */
const overheadOfOutput = 32
/** At most: two base64 texts of a float64 for each block, and some numbers. */
const summaryLength = 2 * Math.ceil((maxBlocks * 8) / 3) * 4 + 512
/** Tells whether a node is large, in a world where that matters. */
const isLargeNode = ({ nodes }: CheckedGraph, place: number) => count(nodes[place]!.shape) > carriedElements
const measureBase64 = ({ shape, dtype }: GraphValue) => Math.ceil((count(shape) * sizes[dtype]) / 3) * 4

const refuseTensorCall = (message: string): CallReply => ({
  ok: false,
  error: { name: 'RuntimeError', message },
})
