/** What is recorded: nodes of primitive operations, evaluated by the host when somebody asks for values. */
import type { SurfaceHost } from '@stateeval/sandbox'
import type { GraphReply, WireGraph, WireNode } from '../graph/wire.ts'
import type { Dtype } from './dtype.ts'
import { RuntimeError } from './errors.ts'
import { product, type Sizes } from './strides.ts'

/** The most elements and dimensions of one tensor, as the host has them. */
const maxElements = 2 ** 20
const maxDims = 16

export interface Node {
  op: string
  inputs: readonly Node[]
  attributes: Readonly<Record<string, unknown>>
  dtype: Dtype
  shape: Sizes
  /** Base64 of the values, once they are known here. */
  data?: string
  /** The host knows the values under this number. */
  hostId?: number
}

let host: SurfaceHost | undefined
let numbers = 0
export const connect = (surfaceHost: SurfaceHost) => {
  host = surfaceHost
}

export function node(
  op: string,
  inputs: readonly Node[],
  attributes: Node['attributes'],
  dtype: Dtype,
  shape: Sizes,
): Node {
  bounded(shape, dtype)
  return { op, inputs, attributes, dtype, shape }
}

export function bounded(shape: Sizes, { bytes }: Dtype) {
  if (shape.length > maxDims)
    throw new RuntimeError(`Here a tensor may have ${maxDims} dimensions, not ${shape.length}.`)
  const count = product(shape)
  if (count > maxElements)
    throw new RuntimeError(
      `DefaultCPUAllocator: can't allocate memory: you tried to allocate ${count * bytes} bytes. Here a tensor may have ${maxElements} elements.`,
    )
}

export const leaf = (dtype: Dtype, shape: Sizes, data: string): Node => ({
  op: 'leaf',
  inputs: [],
  attributes: {},
  dtype,
  shape,
  data,
})

/** The nodes that must be computed for these, in an order in which each comes after what it needs. */
export function gather(targets: readonly Node[]): {
  graph: WireGraph
  outputs: Node[]
  fresh: [place: number, node: Node][]
} {
  const outputs = [...new Set(targets.filter(({ data }) => data === undefined))]
  const places = new Map<Node, number>()
  const nodes: WireNode[] = []
  const fresh: [number, Node][] = []
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
 * Their values are known here afterwards. With `more` to come, the host keeps what it computed on the way.
 */
export function evaluate(targets: readonly Node[], more: boolean) {
  const { graph, outputs, fresh } = gather(targets)
  if (outputs.length === 0) return
  if (more) graph.keep = fresh.map(([place]): [number, number] => [place, ++numbers])
  // Attributes are numbers and lists of numbers, which the host checks; asJson would add code to the surface.
  const reply = host!.callSync('run', graph as never) as GraphReply
  // Only now: where the host refuses a graph, it keeps nothing of it.
  graph.keep.forEach(([, number], at) => (fresh[at]![1].hostId = number))
  outputs.forEach((one, at) => {
    one.data = reply.outputs[at]!.data
  })
}

function wire(
  { op, inputs, attributes, dtype, shape, data, hostId }: Node,
  places: ReadonlyMap<Node, number>,
): WireNode {
  if (hostId !== undefined) return { op: 'kept', id: hostId }
  if (data !== undefined) return { op: 'leaf', dtype: dtype.name, shape: [...shape], data }
  return { op, in: inputs.map((input) => places.get(input)!), ...attributes }
}
