/**
 * The recorded graph: nodes of primitive operations, evaluated by the host when a program asks for values.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { SurfaceHost } from '@stateeval/sandbox'
import type { GraphReply, WireGraph, WireNode } from '../graph/wire.ts'
import type { Dtype } from './dtype.ts'
import { RuntimeError } from './errors.ts'
import { product, type StrideSizes } from './strides.ts'

/** The most elements and dimensions of one tensor, as the host has them; a large world allows more. */
const usualElements = 2 ** 20
const maxDims = 16

export interface GraphNode {
  op: string
  inputs: readonly GraphNode[]
  attributes: Readonly<Record<string, unknown>>
  dtype: Dtype
  shape: StrideSizes
  /** Base64 of the values, once they are known here. */
  data?: string
  /** The summary of large values, once they were computed. */
  summary?: JsonValue
  /** The host knows the values under this number. */
  hostId?: number
}

let host: SurfaceHost | undefined
let numbers = 0
let maxElements: number | undefined
/** Returns the host until now, so that tests can put it back. */
export function connect(surfaceHost: SurfaceHost | undefined): SurfaceHost | undefined {
  const before = host
  host = surfaceHost
  maxElements = undefined
  return before
}

export function node(
  op: string,
  inputs: readonly GraphNode[],
  attributes: GraphNode['attributes'],
  dtype: Dtype,
  shape: StrideSizes,
): GraphNode {
  bounded(shape, dtype)
  return { op, inputs, attributes, dtype, shape }
}

export function bounded(shape: StrideSizes, { bytes }: Dtype) {
  if (shape.length > maxDims)
    throw new RuntimeError(`Here a tensor may have ${maxDims} dimensions, not ${shape.length}.`)
  const count = product(shape)
  if (count <= usualElements) return
  // Asked for once: few programs have tensors of this size.
  maxElements ??= (host?.callSync('elements', null) as number | undefined) ?? usualElements
  if (count > maxElements)
    throw new RuntimeError(
      `DefaultCPUAllocator: can't allocate memory: you tried to allocate ${count * bytes} bytes. Here a tensor may have ${maxElements} elements.`,
    )
}

/** For what is written element by element. */
export function boundedList(shape: StrideSizes, dtype: Dtype) {
  bounded(shape, dtype)
  if (product(shape) > usualElements)
    throw new RuntimeError(
      `Here a tensor that is made of a list may have ${usualElements} elements, not ${product(shape)}.`,
    )
}

/** Its values are drawn by the host. */
export const drawn = (dtype: Dtype, shape: StrideSizes, seed: string): GraphNode => ({
  ...node('drawn', [], { dtype: dtype.name, shape: [...shape], seed }, dtype, shape),
})

export const leaf = (dtype: Dtype, shape: StrideSizes, data: string): GraphNode => ({
  op: 'leaf',
  inputs: [],
  attributes: {},
  dtype,
  shape,
  data,
})

/** Values, or what stands for them in RESULT. */
const isTold = ({ data, summary }: GraphNode, inShort: boolean) =>
  data !== undefined || (inShort && summary !== undefined)

/** The nodes that must be computed for these, in an order in which each comes after what it needs. */
export function gather(
  targets: readonly GraphNode[],
  inShort = false,
): {
  graph: WireGraph
  outputs: GraphNode[]
  fresh: [place: number, node: GraphNode][]
} {
  const outputs = [...new Set(targets.filter((target) => !isTold(target, inShort)))]
  const places = new Map<GraphNode, number>()
  const nodes: WireNode[] = []
  const fresh: [number, GraphNode][] = []
  const open = [...outputs].reverse()
  for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
    const isKnown = next.data !== undefined || next.hostId !== undefined
    const waiting = isKnown || places.has(next) ? [] : next.inputs.filter((input) => !places.has(input))
    open.push(...waiting)
    if (waiting.length > 0) continue
    open.pop()
    if (places.has(next)) continue
    places.set(next, nodes.length)
    if (next.hostId === undefined) fresh.push([nodes.length, next])
    nodes.push(wire(next, places))
  }
  return { graph: { nodes, outputs: outputs.map((one) => places.get(one)!), keep: [] }, outputs, fresh }
}

/**
 * Their values are known here afterwards, of large ones for RESULT (`inShort`) what stands for them. With
 * more to come, the host keeps what it computed on the way.
 */
export function evaluate(targets: readonly GraphNode[], inShort: boolean) {
  const { graph, outputs, fresh } = gather(targets, inShort)
  if (outputs.length === 0) return
  if (inShort) graph.summarize = true
  else graph.keep = fresh.map(([place]): [number, number] => [place, ++numbers])
  // Attributes are numbers and lists of numbers, which the host checks; asJson would add code to the surface.
  const reply = host!.callSync('run', graph as never) as GraphReply
  // Only now: where the host refuses a graph, it keeps nothing of it.
  const { kept } = reply
  graph.keep.forEach(([, number], at) => {
    if (!kept || kept.includes(number)) fresh[at]![1].hostId = number
  })
  outputs.forEach((one, at) => {
    const output = reply.outputs[at]!
    if ('data' in output) one.data = output.data
    else one.summary = output.summary
  })
}

function wire(
  { op, inputs, attributes, dtype, shape, data, hostId }: GraphNode,
  places: ReadonlyMap<GraphNode, number>,
): WireNode {
  if (hostId !== undefined) return { op: 'kept', id: hostId }
  if (data !== undefined) return { op: 'leaf', dtype: dtype.name, shape: [...shape], data }
  return { op, in: inputs.map((input) => places.get(input)!), ...attributes }
}
