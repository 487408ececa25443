/** A tensor as programs have it: shape, dtype and strides are known at once, values when somebody asks. */
import { decodeNumbers, encodeNumbers } from './base64.ts'
import { bool, type Dtype, float32, int64, type DtypeOperand } from './dtype.ts'
import { RuntimeError, spelled, typeName, ValueError } from './errors.ts'
import { evaluate, leaf, type GraphNode } from './graph.ts'
import { contiguousStrides, isContiguous, product, type StrideSizes } from './strides.ts'

export class Tensor {
  declare readonly node: GraphNode
  declare readonly strides: StrideSizes
  constructor(node: GraphNode, strides: StrideSizes = contiguousStrides(node.shape)) {
    // Nobody enumerates them.
    Object.defineProperty(this, 'node', { value: node })
    Object.defineProperty(this, 'strides', { value: strides })
  }
  get shape(): number[] {
    return [...this.node.shape]
  }
  get dtype(): Dtype {
    return this.node.dtype
  }
  get ndim() {
    return this.node.shape.length
  }
  get device() {
    return 'cpu'
  }
  get requires_grad() {
    return false
  }
  get contiguous_() {
    return isContiguous(this.node.shape, this.strides)
  }

  /** The values, flat and in order. */
  values(): (number | boolean)[] {
    evaluate([this.node], false)
    return decodeNumbers(this.node.data!, this.dtype.name, product(this.node.shape))
  }
  item(): number | boolean {
    if (product(this.node.shape) !== 1)
      throw new ValueError('only one element tensors can be converted to Python scalars')
    return this.values()[0]!
  }
  tolist(): unknown {
    return nested(this.values(), this.node.shape)
  }
  valueOf() {
    return this.item()
  }
  toJSON() {
    return this.tolist()
  }
  toString() {
    return `tensor(${JSON.stringify(this.tolist())}, dtype=${this.dtype.toString()})`
  }
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.toString()
  }
}

const nested = (values: readonly unknown[], shape: StrideSizes): unknown => {
  if (shape.length === 0) return values[0]
  const rest = shape.slice(1)
  const size = product(rest)
  return Array.from({ length: shape[0]! }, (_, at) => nested(values.slice(at * size, (at + 1) * size), rest))
}

export const isTensor = (value: unknown): value is Tensor => value instanceof Tensor
export const constant = (numbers: readonly number[], shape: StrideSizes, dtype: Dtype) =>
  new Tensor(leaf(dtype, shape, encodeNumbers(numbers, dtype.name, dtype.bytes)))
/** A number of the language as a tensor of this type. */
export const scalar = (value: number | boolean, dtype: Dtype) => constant([Number(value)], [], dtype)

export const isScalar = (value: unknown): value is number | boolean =>
  typeof value === 'number' || typeof value === 'boolean'
export const describeOperand = (value: Tensor | number | boolean): DtypeOperand =>
  isTensor(value)
    ? { dtype: value.dtype, rank: value.ndim > 0 ? 2 : 1 }
    : { dtype: typeof value === 'boolean' ? bool : Number.isInteger(value) ? int64 : float32, rank: 0 }

export const mustBeTensors = (list: readonly unknown[]): Tensor[] =>
  list.map((one, at) => {
    if (isTensor(one)) return one
    throw new TypeError(`expected Tensor as element ${at} in argument 0, but got ${typeName(one)}`)
  })

/** Flattens the argument of tensor(): numbers, booleans, tensors of one element, and lists of these. */
export function flatten(value: unknown): {
  numbers: number[]
  shape: number[]
  kind: 'bool' | 'int' | 'float' | 'none'
} {
  const shape: number[] = []
  for (let level: unknown = value; Array.isArray(level); level = level[0] as unknown) shape.push(level.length)
  const numbers: number[] = []
  let kind: 'bool' | 'int' | 'float' | 'none' = 'none'
  const take = (one: unknown, depth: number) => {
    if (depth < shape.length) {
      if (!Array.isArray(one)) throw new TypeError('not a sequence')
      if (one.length !== shape[depth])
        throw new ValueError(
          `expected sequence of length ${shape[depth]} at dim ${depth} (got ${one.length})`,
        )
      for (const inner of one as unknown[]) take(inner, depth + 1)
      return
    }
    const plain: unknown = isTensor(one) ? one.item() : one
    if (Array.isArray(plain))
      throw new TypeError(
        kind === 'int'
          ? `'list' object cannot be interpreted as an integer`
          : 'must be real number, not list',
      )
    if (typeof plain === 'string')
      throw depth === 0 || numbers.length > 0
        ? new TypeError(`new(): invalid data type 'str'`)
        : new ValueError(`too many dimensions 'str'`)
    if (!isScalar(plain)) throw new RuntimeError(`Could not infer dtype of ${typeName(plain)}`)
    const itsKind = isTensor(one)
      ? (['bool', 'int', 'float'] as const)[one.dtype.category]
      : typeof plain === 'boolean'
        ? 'bool'
        : Number.isInteger(plain)
          ? 'int'
          : 'float'
    if (kind === 'none' || itsKind === 'float' || (itsKind === 'int' && kind === 'bool')) kind = itsKind
    numbers.push(Number(plain))
  }
  take(value, 0)
  return { numbers, shape, kind }
}

export const sizesText = (tensor: Tensor) => spelled(tensor.node.shape)
