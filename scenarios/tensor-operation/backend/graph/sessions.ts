/** Sessions of ONNX Runtime, one for each provider and structure of a graph, kept while they are used. */
import { createHash } from 'node:crypto'
import { type InferenceSession, InferenceSession as Session, Tensor } from './onnx-runtime.ts'
import type { TensorSummary } from '@stateeval/contracts'
import { drawElements } from '@stateeval/program'
import type { CheckedGraph, CheckedNode, GraphValue } from './check.ts'
import { isGiven, lowerGraph, formatValueName } from './lower.ts'
import { isOnWebgpu, isOrdinary } from './placement.ts'
import { dropRecords, createProfilePrefix, readRecorded, type RecordedOperations } from './profile.ts'
import { encodeModel } from './proto.ts'
import type { GraphProvider } from './provider.ts'

/** A structure’s session takes about 0.3 MiB; lists of indices are part of it. */
const maxSessions = 256
/** Limit of the models of all sessions together. */
const maxModelBytes = 2 ** 25

/**
 * One thread: programs run beside each other, their tensors are small (a run of five operations takes well
 * under a millisecond of computing), and sums come out the same whatever number of cores a machine has.
 */
const options: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  // Its optimizer ends the process over some valid graphs (a transposed output that also feeds a product,
  // 1.30), and gains nothing here.
  graphOptimizationLevel: 'disabled',
  // Memory is given back after each run.
  enableCpuMemArena: false,
  enableMemPattern: false,
  logSeverityLevel: 3,
}

/** Names of ONNX nodes are those of their outputs (proto.ts): `t…` on the way to a value, `v…` the value. */
function listExecutionProviders(
  provider: GraphProvider,
  graph: CheckedGraph,
  nodes: readonly { outputs: readonly string[]; from: number }[],
): InferenceSession.SessionOptions['executionProviders'] {
  if (provider === 'cpu') return ['cpu']
  if (provider === 'cuda') return ['cuda', 'cpu']
  const forced = nodes.filter(({ from }) => !isOnWebgpu(graph.nodes[from]!, graph))
  const forceCpuNodeNames = forced.map(({ outputs }) => outputs[0]!)
  // With channels last, its passes over transposed tensors make chains of convolutions wrong (1.30).
  return [{ name: 'webgpu', preferredLayout: 'NCHW', ...(forced.length > 0 && { forceCpuNodeNames }) }, 'cpu']
}

/** Sessions made, and used again. */
export interface RuntimeCounts {
  created: number
  reused: number
}

export interface GraphComputation extends RecordedOperations {
  /** Values of the nodes that were asked for, by their place. */
  values: Map<number, GraphValue & { bytes: Uint8Array }>
  /** Summaries of large values, for which only a summary was asked. */
  summaries?: Map<number, TensorSummary>
}

export interface GraphRuntime {
  run(graph: CheckedGraph, outputs: readonly number[], provider?: GraphProvider): Promise<GraphComputation>
  counts(): RuntimeCounts
  close(): Promise<void>
}

export function createRuntime(maxOpen = maxSessions, maxBytes = maxModelBytes): GraphRuntime {
  const sessions = new Map<string, { entry: Promise<SessionEntry>; bytes: number }>()
  const counts = { created: 0, reused: 0 }

  function sessionOf(
    graph: CheckedGraph,
    outputs: readonly number[],
    provider: GraphProvider,
  ): Promise<SessionEntry> {
    const key = `${provider} ${computeStructureKey(graph, outputs)}`
    const previous = sessions.get(key)
    if (previous) counts.reused++
    else counts.created++
    const session = previous ?? open(graph, outputs, provider)
    // The last used stands last.
    sessions.delete(key)
    sessions.set(key, session)
    session.entry.catch(() => sessions.delete(key))
    let bytes = 0
    for (const one of sessions.values()) bytes += one.bytes
    for (const [oldest, other] of sessions) {
      if (other === session || (sessions.size <= maxOpen && bytes <= maxBytes)) break
      sessions.delete(oldest)
      bytes -= other.bytes
      void other.entry.then(retireEntry, () => {})
    }
    return session.entry
  }

  /** `given`: values that need no computing. */
  async function compute(
    graph: CheckedGraph,
    indices: readonly number[],
    provider: GraphProvider,
  ): Promise<GraphComputation> {
    const entry = await sessionOf(graph, indices, provider)
    entry.running++
    try {
      const feeds = Object.fromEntries(
        entry.inputs.map((at) => [formatValueName(at), createFeed(graph.nodes[at]!)]),
      )
      const results = await entry.session.run(feeds)
      entry.recorded ??= readRecorded(entry.session, entry.profile!, graph)
      return {
        values: new Map(indices.map((at) => [at, read(results[formatValueName(at)]!, graph.nodes[at]!)])),
        ...entry.recorded,
      }
    } catch (error) {
      // A failure on a device ends only its own session.
      for (const [key, { entry: other }] of sessions)
        if (provider !== 'cpu' && (await other.catch(() => undefined)) === entry) sessions.delete(key)
      entry.retired ||= provider !== 'cpu'
      throw error
    } finally {
      if (--entry.running === 0 && entry.retired) await release(entry)
    }
  }

  return {
    async run(graph, outputs, provider = 'cpu') {
      const leafValues = new Map(
        outputs.filter((at) => isGiven(graph.nodes[at]!)).map((at) => [at, collectGiven(graph.nodes[at]!)]),
      )
      const indices = [...new Set(outputs.filter((at) => !leafValues.has(at)))].sort((a, b) => a - b)
      if (indices.length === 0) return { values: leafValues, operations: {}, copies: 0 }
      const onDevice =
        provider !== 'webgpu' ||
        graph.nodes.every(({ dtype, bytes }) => bytes === undefined || isOrdinary({ dtype, bytes }))
      let computation = await compute(graph, indices, onDevice ? provider : 'cpu')
      // A device guarantees nothing for such numbers, so the CPU computes them.
      if (provider === 'webgpu' && onDevice && ![...computation.values.values()].every(isOrdinary))
        computation = await compute(graph, indices, 'cpu')
      return { ...computation, values: new Map([...leafValues, ...computation.values]) }
    },
    counts: () => ({ ...counts }),
    async close() {
      const open = [...sessions.values()]
      sessions.clear()
      await Promise.all(open.map(({ entry }) => entry.then(retireEntry, () => {})))
    },
  }
}

interface SessionEntry {
  session: InferenceSession
  /** Places of the given values. */
  inputs: number[]
  running: number
  retired: boolean
  /** The providers of its operations; for a device, ONNX Runtime's records of the first run tell them. */
  recorded: RecordedOperations | undefined
  /** Prefix of the records' file. */
  profile?: string
}
async function retireEntry(entry: SessionEntry) {
  entry.retired = true
  if (entry.running === 0) await release(entry)
}
async function release({ session, recorded: known, profile }: SessionEntry) {
  if (known === undefined) dropRecords(session, profile!)
  await session.release()
}

function open(
  graph: CheckedGraph,
  outputs: readonly number[],
  provider: GraphProvider,
): { entry: Promise<SessionEntry>; bytes: number } {
  const lowered = lowerGraph(graph, outputs)
  const model = encodeModel(lowered)
  const inputs = graph.nodes.flatMap((node, at) => (isGiven(node) ? [at] : []))
  const profile = provider === 'cpu' ? undefined : createProfilePrefix()
  const entry = Session.create(model, {
    ...options,
    executionProviders: listExecutionProviders(provider, graph, lowered.nodes)!,
    ...(profile !== undefined && { enableProfiling: true, profileFilePrefix: profile }),
  }).then((session) => ({
    session,
    inputs,
    running: 0,
    retired: false,
    recorded:
      provider === 'cpu' ? { operations: { cpu: graph.nodes.length - inputs.length }, copies: 0 } : undefined,
    ...(profile !== undefined && { profile }),
  }))
  return { entry, bytes: model.length }
}

/**
 * Graphs of one structure have one key: operations, attributes, types and shapes of what is given; no values.
 */
export function computeStructureKey({ nodes }: CheckedGraph, outputs: readonly number[]): string {
  const structure = nodes.map((node) =>
    isGiven(node) ? [node.dtype, node.shape] : [node.op, node.in, node.attributes],
  )
  return createHash('sha256')
    .update(JSON.stringify([structure, outputs]))
    .digest('base64')
}

type NumberArray = Float32Array | Float64Array | BigInt64Array | Int32Array | Uint8Array
const arrays = {
  float32: Float32Array,
  float64: Float64Array,
  int64: BigInt64Array,
  int32: Int32Array,
  bool: Uint8Array,
}

function collectGiven({ dtype, shape, bytes, seed }: CheckedNode): GraphValue & { bytes: Uint8Array } {
  return { dtype, shape, bytes: bytes ?? new Uint8Array(drawElements(seed!, shape).buffer) }
}

/** Little endian, as all machines that this runs on. */
function createFeed({ dtype, shape, bytes, seed }: CheckedNode): Tensor {
  if (seed !== undefined) return new Tensor('float32', drawElements(seed, shape), shape)
  const copy = new Uint8Array(bytes!).buffer
  return new Tensor(dtype, new arrays[dtype](copy), shape)
}
function read(tensor: Tensor, { dtype, shape }: CheckedNode): GraphValue & { bytes: Uint8Array } {
  const data = tensor.data as NumberArray
  if (tensor.type !== dtype || data.length !== shape.reduce((product, size) => product * size, 1))
    throw new Error(`ONNX Runtime gave ${tensor.type} [${tensor.dims.join()}] for ${dtype} [${shape.join()}]`)
  return { dtype, shape, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) }
}
