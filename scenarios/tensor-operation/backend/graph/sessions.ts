/**
 * Sessions of ONNX Runtime, one for each structure of a graph, kept while they are used; and which provider
 * runs them.
 */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type InferenceSession, InferenceSession as Session, Tensor } from 'onnxruntime-node'
import type { CheckedGraph, CheckedNode, Value } from './check.ts'
import { isGiven, lower, nameOf } from './lower.ts'
import { modelBytes } from './proto.ts'

/** A structure’s session takes about 0.3 MiB; lists of indices are part of it. */
const maxSessions = 256
/** Of the models of all sessions together. */
const maxModelBytes = 2 ** 25

/**
 * One thread: programs run beside each other, their tensors are small (a run of five operations takes well
 * under a millisecond of computing), and sums come out the same whatever number of cores a machine has.
 */
const options = (provider: Provider): InferenceSession.SessionOptions => ({
  executionProviders: provider === 'cuda' ? ['cuda', 'cpu'] : ['cpu'],
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
})

export type Provider = 'cuda' | 'cpu'

/** Sessions made, and used again. */
export interface RuntimeCounts {
  created: number
  reused: number
}

export interface Runtime {
  provider: Provider
  /** Values of the nodes at these places. */
  run(graph: CheckedGraph, wanted: readonly number[]): Promise<Map<number, Value & { bytes: Uint8Array }>>
  counts(): RuntimeCounts
  close(): Promise<void>
}

/** Providers of this machine, best first: CUDA where its library can be loaded and finds a device. */
let probing: Promise<Provider[]> | undefined
export const providers = (): Promise<Provider[]> => (probing ??= probe())
async function probe(): Promise<Provider[]> {
  if (!hasCudaLibrary()) return ['cpu']
  try {
    const graph = {
      nodes: [{ type: 'Neg', inputs: ['a'], outputs: ['b'] }],
      inputs: [one('a')],
      outputs: [one('b')],
      constants: [],
    }
    const session = await Session.create(modelBytes(graph), {
      executionProviders: ['cuda'],
      logSeverityLevel: 4,
    })
    await session.run({ a: new Tensor('float32', new Float32Array(1), [1]) })
    await session.release()
    return ['cuda', 'cpu']
  } catch {
    return ['cpu']
  }
}
/**
 * The package comes without it, and never counts it as bundled: it is added (deploy/Dockerfile.gpu). A
 * session without it complains aloud.
 */
function hasCudaLibrary(): boolean {
  const cwd = join(dirname(createRequire(import.meta.url).resolve('onnxruntime-node')), '..')
  const { platform, arch } = process
  return globSync(`bin/*/${platform}/${arch}/libonnxruntime_providers_cuda.so`, { cwd }).length > 0
}
const one = (name: string) => ({ name, dtype: 'float32' as const, shape: [1] })

export async function createRuntime(maxOpen = maxSessions, maxBytes = maxModelBytes): Promise<Runtime> {
  const [provider] = (await providers()) as [Provider]
  const sessions = new Map<string, { entry: Promise<Entry>; bytes: number }>()
  const counts = { created: 0, reused: 0 }

  function sessionOf(graph: CheckedGraph, wanted: readonly number[]): Promise<Entry> {
    const key = keyOf(graph, wanted)
    const previous = sessions.get(key)
    if (previous) counts.reused++
    else counts.created++
    const session = previous ?? open(graph, wanted, provider)
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
      void other.entry.then(retire, () => {})
    }
    return session.entry
  }

  return {
    provider,
    async run(graph, wanted) {
      const values = new Map(
        wanted
          .filter((at) => isGiven(graph.nodes[at]!))
          .map((at) => [at, graph.nodes[at] as Value & { bytes: Uint8Array }]),
      )
      const indices = [...new Set(wanted.filter((at) => !values.has(at)))].sort((a, b) => a - b)
      if (indices.length === 0) return values
      const entry = await sessionOf(graph, indices)
      entry.running++
      try {
        const feeds = Object.fromEntries(entry.inputs.map((at) => [nameOf(at), feed(graph.nodes[at]!)]))
        const results = await entry.session.run(feeds)
        for (const at of indices) values.set(at, read(results[nameOf(at)]!, graph.nodes[at]!))
      } finally {
        if (--entry.running === 0 && entry.retired) await entry.session.release()
      }
      return values
    },
    counts: () => ({ ...counts }),
    async close() {
      const open = [...sessions.values()]
      sessions.clear()
      await Promise.all(open.map(({ entry }) => entry.then(retire, () => {})))
    },
  }
}

interface Entry {
  session: InferenceSession
  /** Places of the given values. */
  inputs: number[]
  running: number
  retired: boolean
}
async function retire(entry: Entry) {
  entry.retired = true
  if (entry.running === 0) await entry.session.release()
}

function open(
  graph: CheckedGraph,
  wanted: readonly number[],
  provider: Provider,
): { entry: Promise<Entry>; bytes: number } {
  const model = modelBytes(lower(graph, wanted))
  const inputs = graph.nodes.flatMap((node, at) => (isGiven(node) ? [at] : []))
  const entry = Session.create(model, options(provider)).then((session) => ({
    session,
    inputs,
    running: 0,
    retired: false,
  }))
  return { entry, bytes: model.length }
}

/**
 * Graphs of one structure have one key: operations, attributes, types and shapes of what is given; no values.
 */
function keyOf({ nodes }: CheckedGraph, wanted: readonly number[]): string {
  const structure = nodes.map((node) =>
    isGiven(node) ? [node.dtype, node.shape] : [node.op, node.in, node.attributes],
  )
  return createHash('sha256')
    .update(JSON.stringify([structure, wanted]))
    .digest('base64')
}

type Numbers = Float32Array | Float64Array | BigInt64Array | Int32Array | Uint8Array
const arrays = {
  float32: Float32Array,
  float64: Float64Array,
  int64: BigInt64Array,
  int32: Int32Array,
  bool: Uint8Array,
}

/** Little endian, as all machines that this runs on. */
function feed({ dtype, shape, bytes }: CheckedNode): Tensor {
  const copy = new Uint8Array(bytes!).buffer
  return new Tensor(dtype, new arrays[dtype](copy), shape)
}
function read(tensor: Tensor, { dtype, shape }: CheckedNode): Value & { bytes: Uint8Array } {
  const data = tensor.data as Numbers
  if (tensor.type !== dtype || data.length !== shape.reduce((product, size) => product * size, 1))
    throw new Error(`ONNX Runtime gave ${tensor.type} [${tensor.dims.join()}] for ${dtype} [${shape.join()}]`)
  return { dtype, shape, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) }
}
