/**
 * Reads a graph that hostile code may have written: every node’s operation, attributes, types and shapes are
 * worked out here, from the leaves on; nothing that the graph says of them is believed. Nodes refer to
 * earlier ones only, so there are no cycles. What is wrong is a GraphError that names the node.
 */
import { isRecord } from '@stateeval/contracts'
import { decodeBase64, findTensorFault } from '@stateeval/program'
import { isLarge } from '../../large.ts'
import { type CheckedValue, rules } from './rules.ts'

export const bounds = {
  nodes: 20_000,
  dims: 16,
  /** Limit of one tensor. */
  elements: 2 ** 20,
  /** Limit of all tensors of a graph together, and of what a run keeps, in bytes. */
  bytes: 2 ** 28,
  keptBytes: 2 ** 26,
  /**
   * Limit of all operations together: multiplications of products and convolutions, elements of the others.
   */
  work: 2 ** 31,
} as const
type GraphBounds = { [name in keyof typeof bounds]: number }

/**
 * Bounds of a world whose tensors may have so many elements: in a large world, a graph may take the bytes of
 * 32 of its largest tensors, and 512 multiplications for each element.
 */
export const computeGraphBounds = (elements: number): GraphBounds =>
  isLarge(elements) ? { ...bounds, elements, bytes: 128 * elements, work: 512 * elements } : bounds

export type ElementType = 'float32' | 'float64' | 'int64' | 'int32' | 'bool'
export const sizes: Readonly<Record<ElementType, number>> = {
  float32: 4,
  float64: 8,
  int64: 8,
  int32: 4,
  bool: 1,
}

export interface GraphValue {
  dtype: ElementType
  shape: readonly number[]
}
export interface CheckedNode extends GraphValue {
  op: string
  in: readonly number[]
  attributes: Readonly<Record<string, unknown>>
  /** Bytes of leaves, and of values that the run has kept. */
  bytes?: Uint8Array
  /** Seed of leaves whose elements are drawn where they are needed. */
  seed?: string
}
export interface CheckedGraph {
  nodes: CheckedNode[]
  outputs: number[]
  keep: [number, number][]
  summarize: boolean
}

/** The graph’s fault; the message is for the code that made it. */
export class GraphError extends Error {
  override readonly name = 'RuntimeError'
}

export const count = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1)

/** Measures all tensors of a graph, in bytes: the most that is held at once. */
export const measureGraph = ({ nodes }: CheckedGraph) =>
  nodes.reduce((sum, { shape, dtype }) => sum + count(shape) * sizes[dtype], 0)

/** `kept`: values of the run’s earlier graphs. Throws a GraphError. */
export function checkGraph(
  graph: unknown,
  keptTensors: ReadonlyMap<number, GraphValue & { bytes: Uint8Array }>,
  max: GraphBounds = bounds,
): CheckedGraph {
  if (
    !isRecord(graph) ||
    !Array.isArray(graph['nodes']) ||
    !Array.isArray(graph['outputs']) ||
    !Array.isArray(graph['keep'])
  )
    throw new GraphError('the graph is an object of nodes, outputs and keep')
  const { nodes, outputs, keep } = graph as { nodes: unknown[]; outputs: unknown[]; keep: unknown[] }
  if (nodes.length > max.nodes)
    throw new GraphError(`the graph has ${nodes.length} operations; at most ${max.nodes} are allowed`)
  const checkedNodes: CheckedNode[] = []
  let bytes = 0
  let work = 0
  nodes.forEach((node, at) => {
    const { cost, between, ...value } = checkNode(node, at, checkedNodes, keptTensors, max)
    bytes += count(value.shape) * sizes[value.dtype] + between
    work += cost
    if (bytes > max.bytes)
      throw new GraphError(`the tensors of the graph have more than ${max.bytes} bytes together`)
    if (work > max.work)
      throw new GraphError(`the graph needs more than ${max.work} multiplications, or reads more elements`)
    checkedNodes.push(value)
  })
  const place = (value: unknown, field: string) => {
    if (Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < checkedNodes.length)
      return value as number
    throw new GraphError(`${field} names a node that isn’t there: ${JSON.stringify(value)?.slice(0, 40)}`)
  }
  return {
    nodes: checkedNodes,
    summarize: graph['summarize'] === true,
    outputs: outputs.map((output) => place(output, 'outputs')),
    keep: keep.map((pair): [number, number] => {
      if (!Array.isArray(pair) || pair.length !== 2 || !Number.isSafeInteger(pair[1]))
        throw new GraphError('keep is a list of [node, number]')
      return [place(pair[0], 'keep'), pair[1] as number]
    }),
  }
}

function checkNode(
  node: unknown,
  at: number,
  earlier: readonly CheckedNode[],
  keptTensors: ReadonlyMap<number, GraphValue & { bytes: Uint8Array }>,
  max: GraphBounds,
): CheckedNode & { cost: number; between: number } {
  if (!isRecord(node) || typeof node['op'] !== 'string')
    throw new GraphError(`node ${at} is not an operation`)
  const { op, in: inputs = [], ...attributes } = node as Record<string, unknown> & { op: string }
  const name = `node ${at} (${op.slice(0, 30)})`
  if (op === 'drawn') return { ...checkDrawn(attributes, name, max), cost: 0, between: 0 }
  if (op === 'leaf') return { ...checkLeaf(attributes, name, max), cost: 0, between: 0 }
  if (op === 'kept') {
    const value = keptTensors.get(attributes['id'] as number)
    if (!value) throw new GraphError(`${name} refers to a value that was not kept`)
    return { op, in: [], attributes: {}, ...value, cost: 0, between: 0 }
  }
  const rule = Object.hasOwn(rules, op) ? rules[op] : undefined
  if (!rule) throw new GraphError(`${name}: there is no such operation`)
  if (!Array.isArray(inputs) || inputs.length < rule.inputs[0] || inputs.length > rule.inputs[1])
    throw new GraphError(`${name} has the wrong number of inputs`)
  const values = (inputs as unknown[]).map((input) => {
    if (Number.isSafeInteger(input) && (input as number) >= 0 && (input as number) < at)
      return earlier[input as number]!
    throw new GraphError(
      `${name} refers to ${JSON.stringify(input)?.slice(0, 40)}, which is not an earlier node`,
    )
  })
  let result: CheckedValue
  try {
    result = rule.check(values, attributes)
  } catch (error) {
    throw new GraphError(`${name}: ${(error as Error).message}`)
  }
  checkSmall(result.shape, name, max)
  const { attributes: checkedAttributes, dtype, shape, cost = count(shape), bytes: between = 0 } = result
  return { op, in: inputs as number[], attributes: checkedAttributes, dtype, shape, cost, between }
}

function checkSmall(shape: readonly number[], name: string, max: GraphBounds) {
  if (shape.length > max.dims)
    throw new GraphError(`${name} has ${shape.length} dimensions; at most ${max.dims} are allowed`)
  const elements = count(shape)
  if (elements > max.elements)
    throw new GraphError(
      `${name} has ${elements} elements (shape [${shape.join(', ')}]); a tensor may have ${max.elements}`,
    )
}

function checkLeaf(
  { dtype, shape, data }: { dtype?: unknown; shape?: unknown; data?: unknown },
  name: string,
  max: GraphBounds,
): CheckedNode {
  if (typeof dtype !== 'string' || !Object.hasOwn(sizes, dtype))
    throw new GraphError(`${name} has an unsupported dtype`)
  if (!Array.isArray(shape) || !shape.every((size) => Number.isSafeInteger(size) && (size as number) >= 0))
    throw new GraphError(`${name} has no shape`)
  checkSmall(shape as number[], name, max)
  if (typeof data !== 'string' || data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data))
    throw new GraphError(`${name} has data that is not valid base64`)
  const bytes = decodeBase64(data)
  const expected = count(shape as number[]) * sizes[dtype as ElementType]
  if (bytes.length !== expected)
    throw new GraphError(`${name} has ${bytes.length} bytes; ${dtype} of its shape takes ${expected}`)
  return { op: 'leaf', in: [], attributes: {}, dtype: dtype as ElementType, shape: shape as number[], bytes }
}

function checkDrawn(
  { dtype, shape, seed }: { dtype?: unknown; shape?: unknown; seed?: unknown },
  name: string,
  max: GraphBounds,
): CheckedNode {
  const fault = findTensorFault({ $tensor: { dtype, shape, seed } })
  if (fault !== null) throw new GraphError(`${name} ${fault}`)
  checkSmall(shape as number[], name, max)
  return {
    op: 'drawn',
    in: [],
    attributes: {},
    dtype: 'float32',
    shape: shape as number[],
    seed: seed as string,
  }
}
