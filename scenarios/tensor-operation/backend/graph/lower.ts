/**
 * A checked graph as one ONNX graph. Values are inputs, so that graphs of the same structure are the same
 * graph.
 */
import type { CheckedGraph, CheckedNode, ElementType } from './check.ts'
import { elementTypes, type OnnxGraph, type OnnxNode, type OnnxValue } from './proto.ts'

export const formatValueName = (at: number) => `v${at}`

const plain: Readonly<Record<string, string>> = {
  ...{
    exp: 'Exp',
    log: 'Log',
    sqrt: 'Sqrt',
    sigmoid: 'Sigmoid',
    tanh: 'Tanh',
    sin: 'Sin',
    cos: 'Cos',
    reciprocal: 'Reciprocal',
  },
  ...{
    erf: 'Erf',
    floor: 'Floor',
    ceil: 'Ceil',
    round: 'Round',
    neg: 'Neg',
    abs: 'Abs',
    sign: 'Sign',
    not: 'Not',
  },
  ...{ add: 'Add', sub: 'Sub', mul: 'Mul', pow: 'Pow', max2: 'Max', min2: 'Min', matmul: 'MatMul' },
  ...{
    eq: 'Equal',
    lt: 'Less',
    le: 'LessOrEqual',
    gt: 'Greater',
    ge: 'GreaterOrEqual',
    and: 'And',
    or: 'Or',
    xor: 'Xor',
  },
  ...{ bitand: 'BitwiseAnd', bitor: 'BitwiseOr', bitxor: 'BitwiseXor' },
}
/** Operations that ONNX Runtime lacks in float64 on CPU: computed in float32. */
const single = new Set(['erf', 'cos'])

/** `outputs`: places of the nodes whose values are outputs. Leaves and kept values are inputs. */
export function lowerGraph(
  { nodes }: CheckedGraph,
  outputs: readonly number[],
): OnnxGraph & { nodes: readonly LoweredNode[] } {
  const lowering = new GraphLowering(nodes)
  nodes.forEach((node, at) => lowering.add(node, at))
  return { ...lowering.graph(), outputs: outputs.map((at) => createOnnxValue(nodes[at]!, at)) }
}

export const isGiven = ({ bytes, seed }: CheckedNode) => bytes !== undefined || seed !== undefined
const createOnnxValue = ({ dtype, shape }: CheckedNode, at: number): OnnxValue => ({
  name: formatValueName(at),
  dtype,
  shape,
})

/** `from`: the place of the node that it is a part of. */
type LoweredNode = OnnxNode & { from: number }

class GraphLowering {
  readonly #all: readonly CheckedNode[]
  readonly #nodes: LoweredNode[] = []
  readonly #inputs: OnnxValue[] = []
  readonly #constants = new Map<string, { name: string; values: readonly number[] }>()
  #names = 0
  /** The place of the node that is being lowered. */
  #from = 0
  constructor(all: readonly CheckedNode[]) {
    this.#all = all
  }
  graph() {
    return { nodes: this.#nodes, inputs: this.#inputs, constants: [...this.#constants.values()] }
  }

  add(node: CheckedNode, at: number) {
    this.#from = at
    if (isGiven(node)) return void this.#inputs.push(createOnnxValue(node, at))
    const inputs = node.in.map(formatValueName)
    const out = formatValueName(at)
    const { dims, dim, shape, keepdim } = node.attributes as {
      dims: number[]
      dim: number
      shape: number[]
      keepdim: boolean
    }
    const first = inputs[0]!
    switch (node.op) {
      case 'reshape':
        return this.#put('Reshape', [first, this.#list(shape)], out)
      case 'expand':
        return this.#put('Expand', [first, this.#list(shape)], out)
      case 'permute':
        return this.#put('Transpose', [first], out, { perm: dims })
      case 'cat':
        return this.#put('Concat', inputs, out, { axis: dim })
      case 'slice': {
        const { start, end, step } = node.attributes as { start: number; end: number; step: number }
        return this.#slice(first, [dim], [start], [end], [step], out)
      }
      case 'gather':
        return this.#put(
          'Gather',
          [first, this.#list((node.attributes as { indices: number[] }).indices)],
          out,
          { axis: dim },
        )
      case 'cast':
        return this.#cast(first, node.dtype, out)
      case 'relu':
        return this.#put(
          'Where',
          [this.#put('Less', [first, this.#zero(node.dtype)], this.#name()), this.#zero(node.dtype), first],
          out,
        )
      case 'sign': {
        // The sign of NaN is 0.
        const [more, less] = ['Greater', 'Less'].map((type) =>
          this.#cast(this.#put(type, [first, this.#zero(node.dtype)], this.#name()), node.dtype),
        )
        return this.#put('Sub', [more!, less!], out)
      }
      case 'max2':
      case 'min2': {
        const type = node.op === 'max2' ? 'Greater' : 'Less'
        if (node.dtype.startsWith('int')) return this.#put(plain[node.op]!, inputs, out)
        const condition = this.#put(
          'Or',
          [this.#put(type, inputs, this.#name()), this.#put('IsNaN', [first], this.#name())],
          this.#name(),
        )
        return this.#put('Where', [condition, ...inputs], out)
      }
      case 'ne':
        return this.#put('Not', [this.#put('Equal', inputs, this.#name())], out)
      case 'where':
        return this.#where(inputs, node.dtype, out)
      case 'sum':
        return this.#reduced('ReduceSum', first, dims, keepdim, out)
      case 'prod':
        return this.#reduced('ReduceProd', first, dims, keepdim, out)
      case 'max':
      case 'min': {
        const type = node.op === 'max' ? 'ReduceMax' : 'ReduceMin'
        if (node.dtype.startsWith('int')) return this.#reduced(type, first, dims, keepdim, out)
        // NaN elements decide: a result that sees one is NaN.
        const [, nanMask] = this.#odd(first, dims, keepdim)
        const sum = this.#reduced('ReduceSum', first, dims, keepdim)
        return this.#put('Where', [nanMask, sum, this.#reduced(type, first, dims, keepdim)], out)
      }
      case 'argmax':
      case 'argmin': {
        const type = node.op === 'argmax' ? 'ArgMax' : 'ArgMin'
        const attributes = { axis: dims[0]!, keepdims: Number(keepdim) }
        if (this.#all[node.in[0]!]!.dtype.startsWith('int')) return this.#put(type, [first], out, attributes)
        // The first that is no number is the largest as well as the smallest.
        const [odd, nanMask] = this.#odd(first, dims, keepdim)
        const places = [
          this.#put('ArgMax', [odd], this.#name(), attributes),
          this.#put(type, [first], this.#name(), attributes),
        ]
        return this.#put('Where', [nanMask, ...places], out)
      }
      case 'div': {
        if (!node.dtype.startsWith('int')) return this.#put('Div', inputs, out)
        // The least integer has no opposite: divided by -1 it would end the process.
        const [one, minus] = [1, -1].map((value) => this.#cast(this.#scalar(value), node.dtype))
        const turns = this.#put('Equal', [inputs[1]!, minus!], this.#name())
        const divisor = this.#put('Where', [turns, one!, inputs[1]!], this.#name())
        const quotient = this.#put('Div', [first, divisor], this.#name())
        return this.#put('Where', [turns, this.#put('Neg', [first], this.#name()), quotient], out)
      }
      case 'fmod':
        return this.#put('Mod', inputs, out, { fmod: 1 })
      case 'cumsum':
        return this.#put('CumSum', [first, this.#scalar(dim)], out)
      case 'conv':
        return node.dtype === 'float32'
          ? this.#conv(node, inputs, out)
          : this.#convByPlaces(node, inputs, out)
      default: {
        const type = plain[node.op]!
        if (!single.has(node.op) || node.dtype !== 'float64') return this.#put(type, inputs, out)
        return this.#cast(this.#put(type, [this.#cast(first, 'float32')], this.#name()), 'float64', out)
      }
    }
  }

  #name() {
    return `t${++this.#names}`
  }
  #put(type: string, inputs: readonly string[], out: string, attributes?: OnnxNode['attributes']): string {
    this.#nodes.push({ type, inputs, outputs: [out], from: this.#from, ...(attributes && { attributes }) })
    return out
  }
  #list(values: readonly number[]): string {
    const key = values.join()
    const constant = this.#constants.get(key) ?? { name: `c${this.#constants.size}`, values }
    this.#constants.set(key, constant)
    return constant.name
  }
  #scalar(value: number): string {
    return this.#put('Reshape', [this.#list([value]), this.#list([])], this.#name())
  }
  #zero(dtype: ElementType): string {
    return this.#cast(this.#scalar(0), dtype)
  }
  #cast(input: string, dtype: ElementType, out = this.#name()): string {
    return this.#put('Cast', [input], out, { to: elementTypes[dtype] })
  }
  #reduced(
    type: string,
    input: string,
    dims: readonly number[],
    keepdim: boolean,
    out = this.#name(),
  ): string {
    return this.#put(type, [input, this.#list(dims)], out, { keepdims: Number(keepdim) })
  }
  /** Which elements are no numbers, as integers; and whether there are any along the dimensions. */
  #odd(input: string, dims: readonly number[], keepdim: boolean): [odd: string, found: string] {
    const odd = this.#cast(this.#put('IsNaN', [input], this.#name()), 'int32')
    return [odd, this.#cast(this.#reduced('ReduceMax', odd, dims, keepdim), 'bool')]
  }
  #slice(
    input: string,
    dims: number[],
    starts: number[],
    ends: number[],
    steps: number[],
    out = this.#name(),
  ): string {
    return this.#put(
      'Slice',
      [input, this.#list(starts), this.#list(ends), this.#list(dims), this.#list(steps)],
      out,
    )
  }
  /** Without bool among its types. */
  #where([condition, a, b]: readonly string[], dtype: ElementType, out: string): string {
    if (dtype !== 'bool') return this.#put('Where', [condition!, a!, b!], out)
    return this.#cast(
      this.#put('Where', [condition!, this.#cast(a!, 'int64'), this.#cast(b!, 'int64')], this.#name()),
      'bool',
      out,
    )
  }

  #conv({ attributes }: CheckedNode, inputs: readonly string[], out: string): string {
    const { stride, pads, dilation, groups } = attributes as typeof attributes & ConvAttributes
    return this.#put('Conv', inputs, out, { strides: stride, pads, dilations: dilation, group: groups })
  }

  /** Sums over the places of the kernel, each a product of matrices: ONNX Runtime convolves float32 only. */
  #convByPlaces(
    { attributes, in: places, shape }: CheckedNode,
    [x, w, b]: readonly string[],
    out: string,
  ): string {
    const { stride, pads, dilation, groups } = attributes as typeof attributes & ConvAttributes
    const [images, channels] = this.#all[places[0]!]!.shape as [number, number]
    const [outChannels, inChannels, ...kernel] = this.#all[places[1]!]!.shape as [
      number,
      number,
      number,
      number,
    ]
    const [, , height, width] = shape as [number, number, number, number]
    const padded = this.#put(
      'Pad',
      [x!, this.#list([0, 0, pads[0], pads[1], 0, 0, pads[2], pads[3]])],
      this.#name(),
    )
    let sum: string | undefined
    for (let row = 0; row < kernel[0]; row++)
      for (let column = 0; column < kernel[1]; column++) {
        const from = [row * dilation[0], column * dilation[1]]
        const to = [from[0]! + (height - 1) * stride[0] + 1, from[1]! + (width - 1) * stride[1] + 1]
        const part = this.#slice(padded, [2, 3], from, to, stride)
        const window = this.#put(
          'Reshape',
          [part, this.#list([images, groups, channels / groups, height * width])],
          this.#name(),
        )
        const tap = this.#slice(w!, [2, 3], [row, column], [row + 1, column + 1], [1, 1])
        const weights = this.#put(
          'Reshape',
          [tap, this.#list([1, groups, outChannels / groups, inChannels])],
          this.#name(),
        )
        const product = this.#put('MatMul', [weights, window], this.#name())
        sum = sum === undefined ? product : this.#put('Add', [sum, product], this.#name())
      }
    if (b === undefined) return this.#put('Reshape', [sum!, this.#list(shape)], out)
    const flat = this.#put('Reshape', [sum!, this.#list(shape)], this.#name())
    return this.#put(
      'Add',
      [flat, this.#put('Reshape', [b, this.#list([outChannels, 1, 1])], this.#name())],
      out,
    )
  }
}

interface ConvAttributes {
  stride: [number, number]
  pads: [number, number, number, number]
  dilation: [number, number]
  groups: number
}
