/** The surface (sandbox/world.ts): a module `torch` for programs, tensors for `$tensor` values both ways. */
import type { JsonValue } from '@stateeval/contracts'
import type { SurfaceHost, SurfaceResult } from '@stateeval/sandbox'
import { Dtype, dtypes, type DtypeName } from './dtype.ts'
import { evaluate, connect, drawn, leaf } from './graph.ts'
import { product } from './strides.ts'
import { isTensor, Tensor } from './tensor.ts'
import { functional, torch } from './functions.ts'
import { RuntimeError } from './errors.ts'

interface WireNode {
  dtype: string
  shape: number[]
  data: string
  seed?: string
}

const isWire = (value: unknown): value is { $tensor: WireNode } =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { $tensor?: unknown }).$tensor === 'object' &&
  Object.keys(value).length === 1

function decode(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(decode)
  if (typeof value !== 'object' || value === null) return value
  if (!isWire(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item)]))
  const { dtype, shape, data, seed } = value.$tensor
  const type = Object.hasOwn(dtypes, dtype) ? dtypes[dtype as DtypeName] : undefined
  if (!type)
    throw new TypeError(
      `a tensor of torch.${dtype} is not supported here; supported are ${Object.keys(dtypes).join(', ')}`,
    )
  if (seed !== undefined) return new Tensor(drawn(type, shape, seed))
  const bytes = (data.length / 4) * 3 - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0)
  if (bytes !== product(shape) * type.bytes)
    throw new RuntimeError(
      `a tensor of shape [${shape.join(', ')}] and ${String(type)} has ${product(shape) * type.bytes} bytes, its data ${bytes}`,
    )
  return new Tensor(leaf(type, shape, data))
}

const isPlain = (value: object) => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** All tensors of RESULT in one graph, then each in its place. */
function encode(value: unknown): unknown {
  const tensors: Tensor[] = []
  const visited = new Set<unknown>()
  const look = (item: unknown) => {
    if (isTensor(item)) tensors.push(item)
    if (typeof item !== 'object' || item === null || visited.has(item) || isTensor(item)) return
    visited.add(item)
    if (Array.isArray(item) || isPlain(item)) for (const inner of Object.values(item)) look(inner)
  }
  look(value)
  if (tensors.length > 0)
    evaluate(
      tensors.map(({ node }) => node),
      true,
    )
  const path = new Set<unknown>()
  const put = (item: unknown): unknown => {
    if (isTensor(item)) {
      const { data, summary } = item.node
      const value = data === undefined ? { summary } : { data }
      return { $tensor: { dtype: item.dtype.name, shape: item.shape, ...value } }
    }
    if (item instanceof Dtype) return String(item)
    // JSON itself reports a value that contains itself.
    if (typeof item !== 'object' || item === null || path.has(item)) return item
    if (!Array.isArray(item) && !isPlain(item)) return item
    path.add(item)
    const encoded = Array.isArray(item)
      ? item.map(put)
      : Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, put(inner)]))
    path.delete(item)
    return encoded
  }
  return tensors.length > 0 || visited.size > 0 || value instanceof Dtype ? put(value) : value
}

export function surface(host: SurfaceHost): SurfaceResult {
  connect(host)
  const module = torch as { nn: { functional: unknown } }
  return {
    globals: { torch },
    modules: {
      torch,
      'torch/nn': module.nn,
      'torch.nn': module.nn,
      'torch/nn/functional': functional,
      'torch.nn.functional': functional,
    },
    decode,
    encode,
  }
}
