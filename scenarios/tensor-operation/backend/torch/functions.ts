/** The table of functions: names, signatures as PyTorch has them, and which of them are methods too. */
import {
  type OverloadBody,
  callable,
  type CallableFunction,
  isOptions,
  type FunctionOverload,
} from './args.ts'
import * as creation from './creation.ts'
import { bool, Dtype, dtypeNamed, dtypes, float32, float64, int32, int64, unsupported } from './dtype.ts'
import * as each from './elementwise.ts'
import { ownDim, RuntimeError, spelled } from './errors.ts'
import * as move from './movement.ts'
import * as products from './products.ts'
import * as reduce from './reduction.ts'
import { contiguousStrides, isContiguous, product } from './strides.ts'
import { isTensor, Tensor } from './tensor.ts'

export const torch: Record<string, unknown> = {}
export const functional: Record<string, unknown> = {}
const methods: object = Tensor.prototype

const hidden = (target: object, name: string | symbol, value: unknown) =>
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })
const named = (call: CallableFunction, name: string): CallableFunction =>
  Object.defineProperty(call, 'name', { value: name })

/** A function of torch. */
function fn(names: string, ...overloads: FunctionOverload[]) {
  for (const name of names.split(' ')) torch[name] = named(callable(name, overloads), name)
}
/** A method; its body gets the tensor first. */
function method(names: string, ...overloads: FunctionOverload[]) {
  for (const name of names.split(' ')) hidden(methods, name, named(callable(name, overloads, true), name))
}
/** With the tensor as the first argument. */
const withInput = ([signature, body]: FunctionOverload): FunctionOverload => [
  signature === '' ? 'input: Tensor' : `input: Tensor, ${signature}`,
  body,
]
/** Both a function and a method. */
function both(names: string, ...overloads: FunctionOverload[]) {
  fn(names, ...overloads.map(withInput))
  method(names, ...overloads)
}
/** A function of a list, whose method takes its members one by one, too. */
function listed(name: string, parameter: string, body: OverloadBody) {
  fn(name, withInput([parameter, body]))
  method(name, [`...${parameter}`, body])
}

// Movement.
type TensorSizes = readonly number[]
fn('cat concat concatenate', ['tensors: Tensors, dim: int = 0', move.cat])
fn('stack', ['tensors: Tensors, dim: int = 0', move.stack])
fn('hstack', ['tensors: Tensors', move.hstack])
fn('vstack', ['tensors: Tensors', move.vstack])
fn('split', ['tensor: Tensor, split_size_or_sections: any, dim: int = 0', move.split])
method('split', ['split_size: any, dim: int = 0', move.split])
both('chunk', ['chunks: int, dim: int = 0', move.chunk])
both('transpose swapdims', ['dim0: int, dim1: int', move.transpose])
both('swapaxes', ['axis0: int, axis1: int', move.transpose])
listed('permute', 'dims: ints', move.permute)
both(
  'movedim moveaxis',
  [
    'source: int, destination: int',
    (self: Tensor, source: number, destination: number) => move.movedim(self, [source], [destination]),
  ],
  ['source: ints, destination: ints', move.movedim],
)
both('t', ['', move.t])
listed('reshape', 'shape: sizes', move.reshape)
method(
  'view',
  ['...size: sizes', move.view],
  [
    'dtype: dtype',
    (self: Tensor, dtype: Dtype) => {
      if (dtype === self.dtype) return self
      throw new RuntimeError(
        'view(dtype) reads the same bytes as another type, which is not supported here; to(dtype) converts the values',
      )
    },
  ],
)
method('view_as', ['other: Tensor', (self: Tensor, other: Tensor) => move.view(self, other.shape)])
method('reshape_as', ['other: Tensor', (self: Tensor, other: Tensor) => move.reshape(self, other.shape)])
method('contiguous', ['', move.contiguous])
both('flatten', ['start_dim: int = 0, end_dim: int = -1', move.flatten])
both('ravel', ['', (self: Tensor) => move.contiguous(move.flatten(self, 0, -1))])
both('squeeze', ['', (self: Tensor) => move.squeeze(self)], ['dim: dims', move.squeeze])
both('unsqueeze', ['dim: int', move.unsqueeze])
method('expand', ['...size: sizes', move.expand])
method('expand_as', ['other: Tensor', (self: Tensor, other: Tensor) => move.expand(self, other.shape)])
both('broadcast_to', ['size: ints', move.expand])
method('repeat', ['...repeats: sizes', move.repeat])
const tile = (self: Tensor, dims: TensorSizes) =>
  move.repeat(self, [...Array<number>(Math.max(0, self.ndim - dims.length)).fill(1), ...dims])
listed('tile', 'dims: ints', tile)
both('narrow', ['dim: int, start: int, length: int', move.narrow])
both('select', ['dim: int, index: int', move.select])
both('unbind', ['dim: int = 0', move.unbind])
both('index_select', ['dim: int, index: Tensor', move.indexSelect])
listed('flip', 'dims: ints', move.flip)
hidden(methods, 'index', function (this: Tensor, ...list: unknown[]) {
  return move.index(
    this,
    list.length === 1 && Array.isArray(list[0]) && list[0].some((one) => Array.isArray(one) || one === ':')
      ? (list[0] as unknown[])
      : list,
  )
})
const sliced = (self: Tensor, dim: number, range: readonly (number | null)[]) =>
  move.index(self, [...Array<null>(ownDim(dim, Math.max(1, self.ndim))).fill(null), range])
method(
  'slice',
  [
    'start: int? = 0, end: int? = null',
    (self: Tensor, start: number | null, end: number | null) => sliced(self, 0, [start, end]),
  ],
  [
    'dim: int, start: int?, end: int?, step: int = 1',
    (self: Tensor, dim: number, start: number | null, end: number | null, step: number) =>
      sliced(self, dim, [start, end, step]),
  ],
)
hidden(methods, Symbol.iterator, function* (this: Tensor) {
  if (this.ndim === 0) throw new TypeError('iteration over a 0-d tensor')
  yield* move.unbind(this, 0)
})

// Elementwise.
const two = 'input: operand, other: operand'
for (const [names, parameter, body] of [
  ['add', ', alpha: Number = 1', each.add],
  ['sub subtract', ', alpha: Number = 1', each.sub],
  ['mul multiply', '', each.mul],
  ['div divide true_divide', ', rounding_mode: str? = null', each.div],
  ['floor_divide', '', (a: each.TensorOrNumber, b: each.TensorOrNumber) => each.div(a, b, 'floor')],
] as const) {
  fn(names, [two + parameter, body])
  method(names, ['other: operand' + parameter, body])
}
/**
 * Defines functions of two tensors, or of a tensor and a number; with `swapped`, of a number and a tensor,
 * too.
 */
function ofTwo(names: string, body: OverloadBody, { parameter = 'other', swapped = false } = {}) {
  const forms = ['Tensor', 'Number'].map((type): FunctionOverload => [`${parameter}: ${type}`, body])
  fn(
    names,
    ...forms.map(withInput),
    ...(swapped ? [[`input: Number, ${parameter}: Tensor`, body] as const] : []),
  )
  method(names, ...forms)
}
ofTwo('remainder', each.remainder, { swapped: true })
ofTwo('fmod', each.fmod)
ofTwo('pow', each.pow, { parameter: 'exponent', swapped: true })
for (const [op, long] of [
  ['eq', ''],
  ['ne', ' not_equal'],
  ['lt', ' less'],
  ['le', ' less_equal'],
  ['gt', ' greater'],
  ['ge', ' greater_equal'],
] as const)
  ofTwo(op + long, (a: each.TensorOrNumber, b: each.TensorOrNumber) => each.binaryCompare(op, a, b))
for (const op of ['and', 'or', 'xor'] as const) {
  both(`logical_${op}`, ['other: Tensor', (a: Tensor, b: Tensor) => each.logical(op, a, b)])
  ofTwo(`bitwise_${op}`, (a: each.TensorOrNumber, b: each.TensorOrNumber) => each.bitwise(op, a, b), {
    swapped: true,
  })
}
both('logical_not', ['', each.not])
both('bitwise_not', ['', each.bitwiseNot])
for (const [name, body] of Object.entries(each.unary)) both(name, ['', body])
both('absolute', ['', each.unary.abs])
both('negative', ['', each.unary.neg])
both(
  'clamp clip',
  ['min: Tensor? = null, max: Tensor? = null', each.clamp],
  ['min: Number? = null, max: Number? = null', each.clamp],
)
fn(
  'where',
  ...['Tensor', 'Number'].flatMap((a) =>
    ['Tensor', 'Number'].map((b): FunctionOverload => [
      `condition: Tensor, input: ${a}, other: ${b}`,
      each.where,
    ]),
  ),
)
method('where', [
  'condition: Tensor, other: operand',
  (self: Tensor, condition: Tensor, other: each.TensorOrNumber) => each.where(condition, self, other),
])
both('masked_fill', ['mask: Tensor, value: Number', each.maskedFill])

// Reductions.
for (const op of ['sum', 'prod', 'mean'] as const) {
  const body =
    op === 'mean'
      ? reduce.mean
      : (self: Tensor, dim: TensorSizes | null, keepdim: boolean, dtype: Dtype | null) =>
          reduce.sum(self, dim, keepdim, dtype, op)
  both(
    op,
    ['dtype: dtype? = null', (self: Tensor, dtype: Dtype | null) => body(self, null, false, dtype)],
    [`dim: ${op === 'prod' ? 'dim' : 'dims?'}, keepdim: bool = false, dtype: dtype? = null`, body],
  )
}
for (const op of ['max', 'min'] as const) {
  const ofTensors = (self: Tensor, other: Tensor) => each.extreme(op, self, other)
  both(
    op,
    ['', (self: Tensor) => reduce.extremes(op, self, null, false)],
    ['other: Tensor', ofTensors],
    [
      'dim: int, keepdim: bool = false',
      (self: Tensor, dim: number, keepdim: boolean) => reduce.withIndices(op, self, dim, keepdim),
    ],
  )
  both(`${op}imum`, ['other: Tensor', ofTensors])
  both(`a${op}`, [
    'dim: dims? = [], keepdim: bool = false',
    (self: Tensor, dim: TensorSizes | null, keepdim: boolean) =>
      reduce.extremes(op, self, dim, keepdim, `a${op}`),
  ])
  both(`arg${op}`, [
    'dim: int? = null, keepdim: bool = false',
    (self: Tensor, dim: number | null, keepdim: boolean) => reduce.argument(op, self, dim, keepdim),
  ])
}
for (const [name, body] of [
  ['any', reduce.any],
  ['all', reduce.all],
] as const)
  both(name, ['', (self: Tensor) => body(self, null, false)], ['dim: dims, keepdim: bool = false', body])
for (const [name, root] of [
  ['var', false],
  ['std', true],
] as const) {
  const spread = (self: Tensor, dim: TensorSizes | null, correction: number, keepdim: boolean) =>
    reduce.spread(self, dim, correction, keepdim, root)
  both(
    name,
    [
      'unbiased: bool = true',
      (self: Tensor, unbiased: boolean) => spread(self, null, Number(unbiased), false),
    ],
    [
      'dim: dims?, unbiased: bool = true, keepdim: bool = false',
      (self: Tensor, dim: TensorSizes | null, unbiased: boolean, keepdim: boolean) =>
        spread(self, dim, Number(unbiased), keepdim),
    ],
    [
      'dim: dims? = null, correction: int? = 1, keepdim: bool = false',
      (self: Tensor, dim: TensorSizes | null, correction: number | null, keepdim: boolean) =>
        spread(self, dim, correction ?? 1, keepdim),
    ],
  )
}
both('norm', ['p: any = "fro", dim: dims? = null, keepdim: bool = false, dtype: dtype? = null', reduce.norm])
for (const [name, log] of [
  ['softmax', false],
  ['log_softmax', true],
] as const) {
  const body = (self: Tensor, dim: number, dtype: Dtype | null) => reduce.softmax(self, dim, dtype, log)
  both(name, ['dim: int, dtype: dtype? = null', body])
  f(name, [
    'input: Tensor, dim: int? = null, dtype: dtype? = null',
    // Without one, that of the channels.
    (self: Tensor, dim: number | null, dtype: Dtype | null) =>
      body(self, dim ?? ([0, 1, 3].includes(self.ndim) ? 0 : 1), dtype),
  ])
}
both('cumsum', ['dim: int, dtype: dtype? = null', reduce.cumsum])

// Products.
both('matmul', ['other: Tensor', products.matmul])
both('mm', ['mat2: Tensor', products.mm])
both('bmm', ['mat2: Tensor', products.bmm])
both('dot', ['tensor: Tensor', products.dot])
both('mv', ['vec: Tensor', products.mv])
both('outer', [
  'vec2: Tensor',
  (a: Tensor, b: Tensor) => {
    if (a.ndim !== 1) throw new RuntimeError(`outer: Expected 1-D argument self, but got ${a.ndim}-D`)
    if (b.ndim !== 1) throw new RuntimeError(`outer: Expected 1-D argument vec2, but got ${b.ndim}-D`)
    return each.mul(move.unsqueeze(a, 1), move.unsqueeze(b, 0))
  },
])
both('addmm', ['mat1: Tensor, mat2: Tensor, beta: Number = 1, alpha: Number = 1', products.addmm])

// Creation.
for (const [name, value] of [
  ['zeros', 0],
  ['ones', 1],
] as const) {
  fn(name, ['...size: sizes, dtype: dtype? = null', creation.sized(value)])
  fn(`${name}_like`, ['input: Tensor, dtype: dtype? = null', creation.like(value)])
}
fn('empty', ['...size: sizes, dtype: dtype? = null', creation.sized(0)])
fn('full', ['size: sizes, fill_value: Number, dtype: dtype? = null', creation.full])
fn('full_like', ['input: Tensor, fill_value: Number, dtype: dtype? = null', creation.fullLike])
fn('tensor as_tensor', ['data: any, dtype: dtype? = null', creation.tensor])
type RangeBound = number | boolean
fn(
  'arange',
  [
    'end: Number, dtype: dtype? = null',
    (end: RangeBound, dtype: Dtype | null) => creation.arange(0, end, 1, dtype),
  ],
  [
    'start: Number, end: Number, dtype: dtype? = null',
    (start: RangeBound, end: RangeBound, dtype: Dtype | null) => creation.arange(start, end, 1, dtype),
  ],
  ['start: Number, end: Number, step: Number = 1, dtype: dtype? = null', creation.arange],
)
fn('linspace', ['start: Number, end: Number, steps: int, dtype: dtype? = null', creation.linspace])
fn(
  'eye',
  ['n: int, dtype: dtype? = null', (n: number, dtype: Dtype | null) => creation.eye(n, n, dtype)],
  ['n: int, m: int, dtype: dtype? = null', creation.eye],
)
for (const [name, upper] of [
  ['triu', true],
  ['tril', false],
] as const)
  both(name, [
    'diagonal: int = 0',
    (self: Tensor, diagonal: number) => {
      if (self.ndim > 0 && product(self.node.shape) === 0) return self
      ownDim(-2, self.ndim)
      const mask = creation.triangle(self.node.shape.at(-2)!, self.node.shape.at(-1)!, diagonal, upper)
      return new Tensor(each.cast(each.where(mask, self, 0), self.dtype).node)
    },
  ])

// Methods that describe tensors.
method(
  'size',
  ['', (self: Tensor) => self.shape],
  ['dim: int', (self: Tensor, dim: number) => self.node.shape[ownDim(dim, self.ndim)]],
)
method(
  'stride',
  ['', (self: Tensor) => [...self.strides]],
  ['dim: int', (self: Tensor, dim: number) => self.strides[ownDim(dim, self.ndim)]],
)
method('dim ndimension', ['', (self: Tensor) => self.ndim])
both('numel', ['', (self: Tensor) => product(self.node.shape)])
method('nelement', ['', (self: Tensor) => product(self.node.shape)])
method('is_contiguous', ['', (self: Tensor) => isContiguous(self.node.shape, self.strides)])
both('is_floating_point', ['', (self: Tensor) => self.dtype.category === 2])
fn('is_tensor', ['obj: any', isTensor])
const isTrue = (mask: Tensor) =>
  product(mask.node.shape) === 0 || reduce.all(mask, null, false).item() === true
both('equal', [
  'other: Tensor',
  (a: Tensor, b: Tensor) => spelled(a.shape) === spelled(b.shape) && isTrue(each.binaryCompare('eq', a, b)),
])
const closeness = 'other: Tensor, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: bool = false'
both('isclose', [closeness, each.isClose])
both('allclose', [
  closeness,
  (a: Tensor, b: Tensor, rtol: number, atol: number, equalNan: boolean) =>
    isTrue(each.isClose(a, b, rtol, atol, equalNan)),
])

// Types and copies.
for (const [names, dtype] of [
  ['float', float32],
  ['double', float64],
  ['long', int64],
  ['int', int32],
  ['bool', bool],
] as const)
  method(names, ['', (self: Tensor) => each.cast(self, dtype)])
hidden(methods, 'to', function (this: Tensor, ...args: unknown[]) {
  const options = args.find(isOptions)
  const unknown = Object.keys(options ?? {}).find(
    (key) => !['dtype', 'device', 'non_blocking', 'copy'].includes(key),
  )
  if (unknown !== undefined) throw new TypeError(`to() got an unexpected keyword argument '${unknown}'`)
  const like = args.find(isTensor)
  // A text is a dtype by its name, or a device, of which there is one.
  const text = args.find((one) => typeof one === 'string' && !/^(cpu|cuda)\b/.test(one))
  const target = args.find((one) => one instanceof Dtype) ?? text ?? options?.['dtype'] ?? null
  if (target === null) return like ? each.cast(this, like.dtype) : this
  const dtype = dtypeNamed(target)
  if (!dtype) throw new TypeError(`to(): argument 'dtype' must be torch.dtype, not str`)
  return each.cast(this, dtype)
})
method(
  'type',
  ['', (self: Tensor) => `torch.${self.dtype.title}Tensor`],
  ['dtype: dtype', (self: Tensor, dtype: Dtype) => each.cast(self, dtype)],
)
method('type_as', ['other: Tensor', (self: Tensor, other: Tensor) => each.cast(self, other.dtype)])
both('clone', [
  '',
  (self: Tensor) => new Tensor(self.node, isDense(self) ? self.strides : contiguousStrides(self.node.shape)),
])
method('detach cpu cuda requires_grad_ data_', ['', (self: Tensor) => self])
// Values never change here: what would change them says so.
for (const name of 'add sub mul div pow zero fill copy clamp relu neg abs exp sqrt floor ceil round fmod remainder masked_fill index_fill'.split(
  ' ',
))
  hidden(methods, `${name}_`, () => {
    throw new RuntimeError(
      `${name}_() changes a tensor in place, which is not supported here; give the changed one a name of its own`,
    )
  })
method('numpy', ['', (self: Tensor) => self.tolist()])
const isDense = (self: Tensor) => {
  const order = self.node.shape.map((_, at) => at).sort((a, b) => self.strides[b]! - self.strides[a]!)
  return isContiguous(
    order.map((at) => self.node.shape[at]!),
    order.map((at) => self.strides[at]!),
  )
}
for (const [name, get] of Object.entries({
  T: move.reversed,
  mT: (self: Tensor) => {
    if (self.ndim === 1)
      throw new RuntimeError(
        'tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.',
      )
    return self.ndim === 0 ? self : move.transpose(self, -2, -1)
  },
  data: (self: Tensor) => self,
} as Record<string, (self: Tensor) => unknown>))
  Object.defineProperty(methods, name, {
    get(this: Tensor) {
      return get(this)
    },
    configurable: true,
  })
/** `t[0]` as in Python: looked up only where a tensor has nothing of that name. */
Object.setPrototypeOf(
  methods,
  new Proxy(Object.prototype, {
    set(target, name, value, receiver) {
      if (typeof name === 'string' && /^-?\d+$/.test(name))
        throw new TypeError(
          'a tensor’s values cannot be assigned to here; make a new one with where(), cat() or masked_fill()',
        )
      return Reflect.set(target, name, value, receiver)
    },
    get(target, key, receiver: unknown) {
      if (typeof key === 'string' && /^-?\d+$/.test(key) && isTensor(receiver))
        return move.at(receiver, Number(key))
      return Reflect.get(target, key, receiver) as unknown
    },
  }),
)

// nn.functional.
function f(names: string, ...overloads: FunctionOverload[]) {
  for (const name of names.split(' ')) functional[name] = named(callable(name, overloads), name)
}
f('linear', ['input: Tensor, weight: Tensor, bias: Tensor? = null', products.linear])
const conv2d = ['pair = [0, 0]', 'str'].map((padding): FunctionOverload => [
  `input: Tensor, weight: Tensor, bias: Tensor? = null, stride: pair = [1, 1], padding: ${padding}, dilation: pair = [1, 1], groups: int = 1`,
  products.conv2d,
])
f('conv2d', ...conv2d)
fn('conv2d', ...conv2d)
/** Functions that may be asked to change their input, which nothing here does. */
const unlessInPlace =
  (body: OverloadBody): OverloadBody =>
  (self: Tensor, ...args: unknown[]) => {
    if (args.pop() === true)
      throw new RuntimeError('inplace=True changes a tensor in place, which is not supported here')
    return (body as CallableFunction)(self, ...args)
  }
f('relu', ['input: Tensor, inplace: bool = false', unlessInPlace(each.unary.relu)])
f('silu', ['input: Tensor, inplace: bool = false', unlessInPlace(each.silu)])
f('leaky_relu', [
  'input: Tensor, negative_slope: Number = 0.01, inplace: bool = false',
  unlessInPlace(each.leakyRelu),
])
f('sigmoid', ['input: Tensor', each.unary.sigmoid])
f('tanh', ['input: Tensor', each.unary.tanh])
f('gelu', ['input: Tensor, approximate: str = "none"', each.gelu])
f('pad', ['input: Tensor, pad: ints, mode: str = "constant", value: Number? = null', move.pad])

/**
 * The type of tensors; called, with or without new, it makes one of float32: of a list, or of sizes one by
 * one.
 */
torch['Tensor'] = Object.defineProperty(
  function Tensor(...args: unknown[]) {
    return args.every(Number.isInteger)
      ? creation.sized(0)(args.length > 0 ? (args as number[]) : [0], null)
      : creation.tensor(args[0], float32)
  },
  'prototype',
  { value: methods },
)

Object.assign(torch, dtypes, unsupported, { float: float32, double: float64, long: int64, int: int32 })
fn('manual_seed', ['seed: any', () => undefined])
fn('is_grad_enabled', ['', () => false])
for (const name of ['no_grad', 'inference_mode'])
  torch[name] = (body?: unknown) => (typeof body === 'function' ? (body as () => unknown)() : undefined)
torch['nn'] = { functional }
torch['cuda'] = { is_available: () => false }
