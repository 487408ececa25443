/**
 * Calls in the forms that programs write: by position and by name, sizes one by one, numbers and tensors,
 * each type, and what PyTorch refuses.
 */
import { callByName } from './call-by-name.ts'
import { dtypes, type DtypeName } from '../torch/dtype.ts'
import { functional, torch } from '../torch/functions.ts'
import { constant, type Tensor } from '../torch/tensor.ts'
import type { Program, Step } from './programs.ts'

/** An input by its name, or what a name of torch stands for. */
class Name {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
const of = (text: string) => new Name(text)
const [
  x,
  y,
  b,
  c,
  i,
  j,
  nan,
  one,
  zero,
  empty,
  image,
  kernel,
  wide,
  tall,
  noRows,
  noVector,
  batch,
  noBatch,
  wideBits,
  tallBits,
] = 'x y b c i j nan one zero empty image kernel wide tall noRows noVector batch noBatch wideBits tallBits'
  .split(' ')
  .map(of)
const [float64, int64, int32, bool] = ['float64', 'int64', 'int32', 'bool'].map((name) => of(`torch.${name}`))

const inputs: Record<string, [kind: DtypeName, shape: number[], numbers: number[]]> = {
  huge: ['float32', [2, 2], [1e20, -1e20, 3e20, 2]],
  x: ['float32', [2, 3], [-1.5, 0.25, 2, 0, -0.75, 1]],
  y: ['float32', [3], [0.5, -0.25, 4]],
  b: ['bool', [2, 3], [1, 0, 1, 0, 0, 1]],
  c: ['bool', [3], [1, 1, 0]],
  i: ['int64', [2, 3], [-3, 0, 2, 5, -1, 7]],
  j: ['int32', [3], [2, -3, 1]],
  nan: ['float32', [2, 3], [1, NaN, 3, NaN, -Infinity, Infinity]],
  one: ['int64', [], [1]],
  zero: ['float32', [], [0]],
  empty: ['float32', [0, 3], []],
  wide: ['float32', [2, 0], []],
  tall: ['int64', [0, 3], []],
  noRows: ['int64', [3, 0], []],
  noVector: ['int64', [0], []],
  batch: ['float32', [4, 2, 0], []],
  noBatch: ['int64', [4, 0, 3], []],
  wideBits: ['bool', [2, 0], []],
  tallBits: ['bool', [0, 3], []],
  image: ['float32', [1, 2, 3, 3], Array.from({ length: 18 }, (_, at) => (at % 7) / 4)],
  kernel: ['float32', [2, 2, 2, 2], Array.from({ length: 16 }, (_, at) => (at % 5) / 2 - 1)],
}

type Row = readonly [
  callee: string,
  positional: readonly unknown[],
  named?: Readonly<Record<string, unknown>>,
]
/** torch.f(…), F.f(…), or a method of an input: x.f(…). */
const rows: readonly Row[] = [
  // Sizes one by one, with options after them.
  ['torch.zeros', [2, 3], { dtype: int64 }],
  ['torch.ones', [2, 1, 2], { dtype: bool }],
  ['torch.zeros', [[2, 3]], { dtype: float64 }],
  ['torch.zeros', []],
  ['torch.zeros', ['a']],
  ['torch.zeros', [2, 1.5]],
  ['torch.zeros', [2, -1]],
  ['x.flip', [0]],
  ['x.flip', [0, -1]],
  ['torch.flip', [x, [0, 1]]],
  ['torch.flip', [x, 0]],
  ['x.flip', [0, -2]],
  ['x.tile', [2, 1]],
  ['x.tile', [2]],
  ['torch.tile', [x, [1, 2]]],
  ['x.reshape', [3, -1]],
  ['x.reshape', [2, 1.5]],
  ['x.reshape', [one, 6]],
  ['x.expand', ['a']],
  ['b.expand', [3]],
  ['x.permute', [1.5]],
  // Overloads.
  ['torch.max', [x], { other: y }],
  ['x.min', [y]],
  ['x.max', [], { keepdim: true }],
  ['x.sum', [], { keepdim: true }],
  ['x.sum', [0, 1]],
  ['x.sum', [null, true]],
  ['x.mean', [[0, 1]], { keepdim: true }],
  ['x.all', [], { keepdim: true }],
  ['x.amax', [], { keepdim: true }],
  ['torch.amax', [x, null]],
  ['x.movedim', [[0, 1], 1]],
  [
    'x.movedim',
    [
      [0, 1],
      [0, 0],
    ],
  ],
  ['x.movedim', [0, null]],
  ['torch.eq', [1, x]],
  ['torch.fmod', [2, x]],
  ['torch.remainder', [2, x]],
  ['torch.pow', [2, x]],
  ['torch.add', [1, x]],
  ['torch.where', [b, 1, 0]],
  ['torch.where', [b, x, 0.5]],
  ['torch.where', [i, x, x]],
  ['x.clamp', [y, 1]],
  ['x.clamp', [], { max: y }],
  ['x.clamp', []],
  ['x.unsqueeze', [one]],
  // What is wrong is told by place or by name.
  ['x.unsqueeze', [1.5]],
  ['torch.unsqueeze', [x, 1.5]],
  ['torch.unsqueeze', [x], { dim: 'a' }],
  ['x.chunk', [true]],
  ['x.equal', [1]],
  ['torch.equal', [x, 1]],
  ['x.maximum', [2]],
  ['torch.full_like', [[1], 2]],
  ['torch.sum', [x, 0], { keepdim: 1 }],
  ['x.allclose', [i]],
  ['x.allclose', [x, -1]],
  // Types.
  ['b.square', []],
  ['b.pow', [2]],
  ['b.pow', [b]],
  ['i.pow', [j]],
  ['i.pow', [-1]],
  ['torch.pow', [2, j]],
  ['i.bitwise_not', []],
  ['x.bitwise_not', []],
  ['i.bitwise_and', [j]],
  ['j.bitwise_or', [c]],
  ['i.bitwise_xor', [6]],
  ['torch.bitwise_and', [3, j]],
  ['x.bitwise_and', [1]],
  ['c.bitwise_xor', [b]],
  ['x.sum', [], { dtype: bool }],
  ['i.sum', [0], { dtype: bool }],
  ['x.prod', [1], { dtype: bool }],
  ['x.cumsum', [0], { dtype: bool }],
  ['x.mean', [], { dtype: int64 }],
  ['i.mean', [], { dtype: float64 }],
  ['F.softmax', [i, 1], { dtype: float64 }],
  ['F.log_softmax', [x, -1], { dtype: float64 }],
  ['i.log_softmax', [0]],
  ['F.softmax', [x]],
  ['b.clamp', [], { min: c }],
  ['b.clamp', [b, b]],
  ['b.clamp', [false, true]],
  ['b.floor_divide', [b]],
  ['i.floor_divide', [c]],
  ['i.div', [c], { rounding_mode: 'trunc' }],
  ['i.add', [0.5], { alpha: 0 }],
  ['i.sub', [j], { alpha: 2 }],
  ['i.add', [i], { alpha: 1.5 }],
  ['x.add', [x], { alpha: true }],
  ['b.add', [c], { alpha: 2 }],
  ['b.add', [c], { alpha: false }],
  ['x.masked_fill', [b, 2.5]],
  ['i.masked_fill', [c, 2.5]],
  ['x.to', [], { other: i }],
  ['i.to', [], { dtype: float64 }],
  ['F.silu', [i]],
  ['F.leaky_relu', [i]],
  ['torch.arange', [2.5], { dtype: int64 }],
  ['torch.arange', [-1.5, 2.5], { dtype: int64 }],
  ['torch.arange', [0, 1, 0.25]],
  ['torch.arange', [3], { dtype: bool }],
  ['torch.arange', [true]],
  ['torch.linspace', [0.5, 5.75, 4], { dtype: int64 }],
  ['torch.full', [[2], 1.5], { dtype: int64 }],
  ['torch.full', [[2], Infinity], { dtype: int64 }],
  ['torch.tensor', [NaN], { dtype: int64 }],
  ['torch.tensor', [3e11], { dtype: int32 }],
  ['torch.tensor', [[1.75, -1.75]], { dtype: int32 }],
  ['torch.tensor', [[1, 'a']]],
  ['torch.tensor', [null]],
  ['torch.tensor', [[[1], 2]]],
  ['torch.eye', [-1]],
  ['torch.eye', [2, 3], { dtype: bool }],
  // No numbers, and what is left of divisions.
  ['nan.argmax', [1]],
  ['nan.argmin', [0], { keepdim: true }],
  ['nan.argmax', []],
  ['x.argmax', [], { keepdim: true }],
  ['nan.max', [1]],
  ['x.fmod', [0.1]],
  ['x.remainder', [0.1]],
  ['x.floor_divide', [0.1]],
  ['nan.floor_divide', [y]],
  ['x.remainder', [Infinity]],
  ['nan.fmod', [nan]],
  ['x.div', [zero], { rounding_mode: 'floor' }],
  ['x.norm', [1, 0]],
  ['x.norm', [], { p: Infinity }],
  ['x.norm', [], { p: 3, dim: [0, 1], keepdim: true }],
  // No dimensions, no elements.
  ['one.unbind', []],
  ['one.size', [0]],
  ['one.stride', [0]],
  ['zero.tril', []],
  ['empty.any', [0]],
  ['empty.argmax', [0]],
  ['empty.sum', [0]],
  ['torch.index_select', [empty, 0, one]],
  ['torch.hstack', [[]]],
  // Padding, and convolutions.
  ['F.pad', [x, [1, -1]]],
  ['F.pad', [x, [-2, -2]]],
  ['F.pad', [x, [1, -4]]],
  ['F.pad', [i, [0, 1]], { value: 2.5 }],
  ['F.pad', [b, [1, 1, 1, 1], 'constant', 1]],
  ['torch.isclose', [x, x]],
  ['nan.isclose', [nan], { equal_nan: true }],
  ['nan.isclose', [nan]],
  ['torch.isclose', [i, i], { rtol: 0.5 }],
  ['torch.isclose', [x, i]],
  ['torch.isclose', [x, x], { atol: -1 }],
  ['huge.std', []],
  ['huge.std', [0, false]],
  ['huge.var', []],
  ['F.conv2d', [image, kernel], { groups: 0 }],
  ['F.conv2d', [image, kernel], { groups: 2 }],
  ['F.conv2d', [image, kernel], { groups: 3 }],
  ['F.conv2d', [image, kernel], { groups: -1 }],
  ['F.conv2d', [image, x]],
  ['F.conv2d', [image, kernel], { stride: [1, 1, 1], padding: 'same' }],
  ['F.conv2d', [image, kernel], { stride: 1.5 }],
  ['F.conv2d', [image, kernel, null, 1, 'valid']],
  ['F.conv2d', [image, kernel, y, 2]],
  ['torch.addmm', [y, i, i]],
  // Products for which nothing is multiplied look at no types, and have that of one or the other.
  ['torch.mm', [wide, tall]],
  ['torch.mm', [x, noRows]],
  ['torch.mm', [tallBits, noRows]],
  ['torch.mm', [wideBits, tallBits]],
  ['torch.mv', [wide, noVector]],
  ['torch.bmm', [batch, noBatch]],
  ['torch.matmul', [batch, noBatch]],
  ['torch.matmul', [batch, tall]],
  ['torch.matmul', [wide, noBatch]],
  ['torch.matmul', [batch, noVector]],
  ['torch.matmul', [noVector, tall]],
  ['torch.matmul', [noVector, noBatch]],
  ['torch.dot', [noVector, noVector]],
  ['F.linear', [wide, noRows]],
  ['F.linear', [batch, noRows]],
  ['F.linear', [wide, noRows, i]],
  ['torch.addmm', [c, wideBits, tallBits]],
  ['torch.addmm', [tallBits, tallBits, b]],
  ['torch.mm', [b, c]],
  ['torch.addmm', [y, x, y]],
]

export function calls(): Program {
  const namedTensors = Object.entries(inputs).map(([name, [kind, shape, numbers]]) => ({
    name,
    tensor: constant(numbers, shape, dtypes[kind]),
  }))
  const tensors = new Map<string, Tensor>(namedTensors.map(({ name, tensor }) => [name, tensor]))
  const places = new Map(namedTensors.map(({ name }, at) => [name, `v${at}`]))
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read)
    if (!(value instanceof Name)) return value
    return tensors.get(value.text) ?? torch[value.text.replace('torch.', '')]
  }
  const python = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
    if (value instanceof Name) return places.get(value.text) ?? value.text
    if (typeof value === 'number' && !Number.isFinite(value)) return `float("${value}")`
    return typeof value === 'boolean'
      ? value
        ? 'True'
        : 'False'
      : value === null
        ? 'None'
        : JSON.stringify(value)
  }
  const steps = rows.map(([callee, positional, named = {}], at): Step => {
    const [owner, name] = callee.split('.') as [string, string]
    const self = owner === 'torch' ? torch : owner === 'F' ? functional : tensors.get(owner)
    const options = Object.entries(named)
    const args = [...positional.map(python), ...options.map(([key, value]) => `${key}=${python(value)}`)]
    const step: Step = { name: `r${at}`, python: `${places.get(owner) ?? owner}.${name}(${args.join(', ')})` }
    try {
      const keywords = Object.fromEntries(options.map(([key, value]) => [key, read(value)]))
      step.value = callByName(self!, name, ...positional.map(read), ...(options.length > 0 ? [keywords] : []))
    } catch (error) {
      step.error = [(error as Error).name, (error as Error).message]
    }
    return step
  })
  return { inputs: namedTensors.map(({ tensor }) => tensor), steps }
}
