/** The table of functions: names, signatures as PyTorch has them, and which of them are methods too. */
import { type Body, callable, type Callable, int } from './args.ts'
import * as creation from './creation.ts'
import { bool, Dtype, dtypes, float32, float64, int32, int64 } from './dtype.ts'
import * as each from './elementwise.ts'
import { IndexError, RuntimeError, spelled, typeName, wrapDim } from './errors.ts'
import * as move from './movement.ts'
import * as products from './products.ts'
import * as reduce from './reduction.ts'
import { contiguousStrides, isContiguous, product } from './strides.ts'
import { isScalar, isTensor, mustBeTensor, mustBeTensors, Tensor } from './tensor.ts'

export const torch: Record<string, unknown> = {}
export const functional: Record<string, unknown> = {}
const methods = Tensor.prototype as unknown as Record<string, unknown>

const hidden = (target: object, name: string, value: unknown) =>
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })

/** A function of torch. */
function fn(names: string, signature: string, body: Body) {
  for (const name of names.split(' ')) torch[name] = named(callable(name, signature, body), name)
}
/** A method; `self` comes first. */
function method(names: string, signature: string, body: Body) {
  for (const name of names.split(' ')) {
    const bind = (self: unknown) => callable(name, signature, (...args: unknown[]) => (body as Callable)(self, ...args))
    hidden(
      methods,
      name,
      named(function (this: unknown, ...args: unknown[]) {
        return bind(this)(...args)
      }, name),
    )
  }
}
/** Both: the first argument must be a tensor. */
function both(names: string, signature: string, body: (tensor: Tensor, ...args: never[]) => unknown, first = 'input') {
  for (const name of names.split(' '))
    fn(name, signature === '' ? first : `${first}, ${signature}`, (value: unknown, ...args: never[]) =>
      body(mustBeTensor(value, name, first, 1), ...args),
    )
  method(names, signature, body)
}
const named = (call: Callable, name: string): Callable => Object.defineProperty(call, 'name', { value: name })

// Movement.
fn('cat concat concatenate', 'tensors, dim=0', move.cat)
fn('stack', 'tensors, dim=0', move.stack)
fn('hstack', 'tensors', (list: unknown) => {
  const all = mustBeTensors(list, 'hstack').map((one) => (one.ndim === 0 ? move.reshape(one, [1]) : one))
  return move.cat(all, all[0]?.ndim === 1 ? 0 : 1)
})
fn('vstack', 'tensors', (list: unknown) =>
  move.cat(
    mustBeTensors(list, 'vstack').map((one) => (one.ndim < 2 ? move.reshape(one, [1, -1]) : one)),
    0,
  ),
)
fn('split', 'tensor, split_size_or_sections, dim=0', move.split)
method('split', 'split_size, dim=0', move.split)
both('chunk', 'chunks, dim=0', move.chunk)
both('transpose', 'dim0, dim1', move.transpose)
both('swapaxes', 'axis0, axis1', move.transpose)
both('swapdims', 'dim0, dim1', move.transpose)
fn('permute', 'input, dims', (value: unknown, dims: unknown) => move.permute(mustBeTensor(value, 'permute', 'input', 1), dims))
method('permute', '...dims', move.permute)
both('movedim moveaxis', 'source, destination', move.movedim)
both('t', '', move.t)
fn('reshape', 'input, shape', (value: unknown, shape: unknown) => move.reshape(mustBeTensor(value, 'reshape', 'input', 1), shape))
method('reshape', '...shape', (self: Tensor, shape: unknown) => move.reshape(self, shape, 1))
method('view', '...size', (self: Tensor, shape: unknown) => (shape instanceof Dtype ? each.cast(self, shape) : move.view(self, shape)))
method('view_as', 'other', (self: Tensor, other: Tensor) => move.view(self, other.shape))
method('reshape_as', 'other', (self: Tensor, other: Tensor) => move.reshape(self, other.shape))
method('contiguous', '', move.contiguous)
both('flatten', 'start_dim=0, end_dim=-1', move.flatten)
both('ravel', '', (self: Tensor) => move.flatten(self, 0, -1))
both('squeeze', 'dim=null', move.squeeze)
both('unsqueeze', 'dim', move.unsqueeze)
method('expand', '...size', move.expand)
method('expand_as', 'other', (self: Tensor, other: Tensor) => move.expand(self, other.shape))
both('broadcast_to', 'size', move.expand)
method('repeat', '...repeats', move.repeat)
both('tile', 'dims', (self: Tensor, dims: number[]) =>
  move.repeat(self, [...Array.from({ length: Math.max(0, self.ndim - dims.length) }, () => 1), ...dims]),
)
both('narrow', 'dim, start, length', move.narrow)
both('select', 'dim, index', move.select)
both('unbind', 'dim=0', move.unbind)
both('index_select', 'dim, index', move.indexSelect)
both('flip', 'dims', move.flip)
hidden(methods, 'index', function (this: Tensor, ...list: unknown[]) {
  return move.index(
    this,
    list.length === 1 && Array.isArray(list[0]) && list[0].some((one) => Array.isArray(one) || one === ':') ? (list[0] as unknown[]) : list,
  )
})
hidden(methods, 'slice', function (this: Tensor, ...args: unknown[]) {
  const [dim, start, end, step = 1] = args.length < 3 ? [0, args[0] ?? 0, args[1] ?? null] : args
  const place = wrapDim(int(dim, 'slice', 'dim', 1), this.ndim)
  return move.index(this, [...Array.from({ length: place }, () => null), [start, end, step]])
})
hidden(methods, Symbol.iterator as never, function* (this: Tensor) {
  if (this.ndim === 0) throw new TypeError('iteration over a 0-d tensor')
  yield* move.unbind(this, 0)
})

// Elementwise.
fn('add', 'input, other, alpha=1', each.add)
method('add', 'other, alpha=1', each.add)
fn('sub subtract', 'input, other, alpha=1', each.sub)
method('sub subtract', 'other, alpha=1', each.sub)
fn('mul multiply', 'input, other', each.mul)
method('mul multiply', 'other', each.mul)
fn('div divide true_divide', 'input, other, rounding_mode=null', each.div)
method('div divide true_divide', 'other, rounding_mode=null', each.div)
fn('floor_divide', 'input, other', (a: unknown, b: unknown) => each.div(a, b, 'floor'))
method('floor_divide', 'other', (a: unknown, b: unknown) => each.div(a, b, 'floor'))
fn('remainder', 'input, other', each.remainder)
method('remainder', 'other', each.remainder)
fn('fmod', 'input, other', each.fmod)
method('fmod', 'other', each.fmod)
fn('pow', 'input, exponent', each.pow)
method('pow', 'exponent', each.pow)
for (const op of ['max', 'min'] as const) {
  const name = `${op}imum`
  fn(name, 'input, other', (a: unknown, b: unknown) => each.extreme(op, a, b, name))
  method(name, 'other', (a: unknown, b: unknown) => each.extreme(op, a, b, name))
}
for (const [op, long] of Object.entries({
  eq: 'equal_to',
  ne: 'not_equal',
  lt: 'less',
  le: 'less_equal',
  gt: 'greater',
  ge: 'greater_equal',
})) {
  const compare = (a: unknown, b: unknown) => each.binaryCompare(op as each.Comparison, a, b)
  fn(op === 'eq' ? 'eq' : `${op} ${long}`, 'input, other', compare)
  method(op === 'eq' ? 'eq' : `${op} ${long}`, 'other', compare)
}
for (const op of ['and', 'or', 'xor'] as const) {
  both(`logical_${op}`, 'other', (a: Tensor, b: unknown) => each.logical(op, a, mustBeTensor(b, `logical_${op}`, 'other', 2)))
  both(`bitwise_${op}`, 'other', (a: Tensor, b: unknown) =>
    each.bitwise(op, a, mustBeTensor(b, `bitwise_${op}`, 'other', 2), `bitwise_${op}`),
  )
}
both('logical_not bitwise_not', '', each.not)
for (const [name, body] of Object.entries(each.unary)) both(name, '', body)
both('absolute', '', each.unary.abs)
both('negative', '', each.unary.neg)
both('clamp clip', 'min=null, max=null', each.clamp)
fn('where', 'condition, input, other', (condition: unknown, a: never, b: never) =>
  each.where(mustBeTensor(condition, 'where', 'condition', 1), a, b),
)
method('where', 'condition, other', (self: Tensor, condition: unknown, other: never) =>
  each.where(mustBeTensor(condition, 'where', 'condition', 1), self, other),
)
method('masked_fill', 'mask, value', (self: Tensor, mask: Tensor, value: number) =>
  each.cast(each.where(mask, isTensor(value) ? value : value, self), self.dtype),
)

// Reductions.
both('sum', 'dim=null, keepdim=false, dtype=null', (self: Tensor, dim: unknown, keepdim: unknown, dtype: unknown) =>
  reduce.sum(self, dim, keepdim, creation.dtypeOf(dtype, 'sum')),
)
both('prod', 'dim=null, keepdim=false, dtype=null', (self: Tensor, dim: unknown, keepdim: unknown, dtype: unknown) =>
  reduce.sum(self, dim, keepdim, creation.dtypeOf(dtype, 'prod'), 'prod'),
)
both('mean', 'dim=null, keepdim=false, dtype=null', (self: Tensor, dim: unknown, keepdim: unknown, dtype: unknown) =>
  reduce.mean(self, dim, keepdim, creation.dtypeOf(dtype, 'mean')),
)
for (const op of ['max', 'min'] as const) {
  both(op, 'dim=null, keepdim=false', (self: Tensor, dim: unknown, keepdim: unknown) => {
    if (isTensor(dim)) return each.extreme(op, self, dim, op)
    return dim === null ? reduce.extremes(op, self, null, false) : reduce.withIndices(op, self, dim, keepdim)
  })
  both(`a${op}`, 'dim=null, keepdim=false', (self: Tensor, dim: unknown, keepdim: unknown) =>
    reduce.extremes(op, self, dim, keepdim, `a${op}`),
  )
  both(`arg${op}`, 'dim=null, keepdim=false', (self: Tensor, dim: unknown, keepdim: unknown) => reduce.argument(op, self, dim, keepdim))
}
both('any', 'dim=null, keepdim=false', reduce.any)
both('all', 'dim=null, keepdim=false', reduce.all)
const spread = (self: Tensor, dim: unknown, unbiased: unknown, keepdim: unknown, correction: unknown) =>
  // A truth value alone is unbiased; correction says the same as a number.
  typeof dim === 'boolean'
    ? reduce.variance(self, null, Number(dim), keepdim)
    : reduce.variance(self, dim, correction === null ? Number(unbiased) : int(correction, 'var', 'correction', 2), keepdim)
both('var', 'dim=null, unbiased=true, keepdim=false, correction=null', spread)
both('std', 'dim=null, unbiased=true, keepdim=false, correction=null', (self: Tensor, ...args: [unknown, unknown, unknown, unknown]) =>
  each.unary.sqrt(spread(self, ...args)),
)
both('norm', 'p=null, dim=null, keepdim=false', (self: Tensor, p: unknown, dim: unknown, keepdim: unknown) => {
  if (p !== null && p !== 2 && p !== 'fro') throw new RuntimeError(`norm(): only p=2 is supported here`)
  return reduce.norm(self, dim, keepdim)
})
both('softmax', 'dim, dtype=null', (self: Tensor, dim: unknown, dtype: unknown) =>
  reduce.softmax(self, dim, creation.dtypeOf(dtype, 'softmax')),
)
both('log_softmax', 'dim, dtype=null', (self: Tensor, dim: unknown, dtype: unknown) =>
  reduce.softmax(self, dim, creation.dtypeOf(dtype, 'log_softmax'), true),
)
both('cumsum', 'dim, dtype=null', (self: Tensor, dim: unknown, dtype: unknown) =>
  reduce.cumsum(self, dim, creation.dtypeOf(dtype, 'cumsum')),
)

// Products.
const second = (name: string, parameter: string, body: (a: Tensor, b: Tensor) => Tensor) =>
  both(name, parameter, (a: Tensor, b: unknown) => body(a, mustBeTensor(b, name, parameter, 2)))
second('matmul', 'other', products.matmul)
second('mm', 'mat2', products.mm)
second('bmm', 'mat2', products.bmm)
second('dot', 'tensor', products.dot)
second('mv', 'vec', products.mv)
second('outer', 'vec2', (a, b) => {
  if (a.ndim !== 1) throw new RuntimeError(`outer: Expected 1-D argument self, but got ${a.ndim}-D`)
  if (b.ndim !== 1) throw new RuntimeError(`outer: Expected 1-D argument vec2, but got ${b.ndim}-D`)
  return each.mul(move.unsqueeze(a, 1), move.unsqueeze(b, 0))
})
both('addmm', 'mat1, mat2, beta=1, alpha=1', (self: Tensor, a: Tensor, b: Tensor, beta: number, alpha: number) => {
  const made = products.mm(a, b)
  return each.add(each.mul(move.expand(self, made.shape), beta), made, alpha)
})

// Creation.
for (const [name, value] of [
  ['zeros', 0],
  ['ones', 1],
] as const) {
  fn(name, '...size, dtype=null', creation.sized(name, value))
  fn(`${name}_like`, 'input, dtype=null', (tensor: unknown, dtype: unknown) =>
    creation.like(`${name}_like`, value)(mustBeTensor(tensor, `${name}_like`, 'input', 1), dtype),
  )
}
fn('empty', '...size, dtype=null', creation.sized('empty', 0))
fn('full', 'size, fill_value, dtype=null', creation.full)
fn('full_like', 'input, fill_value, dtype=null', (tensor: Tensor, value: unknown, dtype: unknown) =>
  creation.full(tensor.shape, value, creation.dtypeOf(dtype, 'full_like') ?? tensor.dtype),
)
fn('tensor as_tensor', 'data, dtype=null', creation.tensor)
fn('arange', 'start, end=null, step=1, dtype=null', creation.arange)
fn('linspace', 'start, end, steps, dtype=null', creation.linspace)
fn('eye', 'n, m=null, dtype=null', creation.eye)
for (const [name, upper] of [
  ['triu', true],
  ['tril', false],
] as const)
  both(name, 'diagonal=0', (self: Tensor, diagonal: number) => {
    if (self.ndim < 2) throw new IndexError(`Dimension out of range (expected to be in range of [-1, 0], but got -2)`)
    const mask = creation.triangle(self.node.shape.at(-2)!, self.node.shape.at(-1)!, diagonal, upper)
    return each.cast(each.where(mask, self, 0), self.dtype)
  })

// What tells of tensors.
const size = ((self: Tensor, dim: unknown) => (dim === null ? self.shape : self.node.shape[wrapDimOfSize(self, dim)])) as never
const wrapDimOfSize = (self: Tensor, dim: unknown) => {
  const place = wrapDim(int(dim, 'size', 'dim', 1), self.ndim)
  if (self.ndim === 0) throw new IndexError('dimension specified as 0 but tensor has no dimensions')
  return place
}
method('size', 'dim=null', size)
method('dim ndimension', '', (self: Tensor) => self.ndim)
both('numel', '', (self: Tensor) => product(self.node.shape))
method('nelement', '', (self: Tensor) => product(self.node.shape))
method('stride', 'dim=null', (self: Tensor, dim: number | null) =>
  dim === null ? [...self.strides] : self.strides[wrapDim(dim, self.ndim)],
)
method('is_contiguous', '', (self: Tensor) => isContiguous(self.node.shape, self.strides))
both('is_floating_point', '', (self: Tensor) => self.dtype.category === 2)
fn('is_tensor', 'obj', isTensor)
fn('equal', 'input, other', (a: Tensor, b: Tensor) => same(a, b))
method('equal', 'other', same)
function same(a: Tensor, b: Tensor): boolean {
  return (
    spelled(a.shape) === spelled(b.shape) &&
    (product(a.node.shape) === 0 || reduce.all(each.binaryCompare('eq', a, b), null, false).item() === true)
  )
}
both('allclose', 'other, rtol=1e-05, atol=1e-08', (a: Tensor, b: Tensor, rtol: number, atol: number) => {
  const near = each.binaryCompare('le', each.unary.abs(each.sub(a, b)), each.add(each.mul(each.unary.abs(b), rtol), atol))
  return reduce.all(near, null, false).item() === true
})

// Types and copies.
for (const [names, dtype] of [
  ['float', float32],
  ['double', float64],
  ['long', int64],
  ['int', int32],
  ['bool', bool],
] as const)
  method(names, '', (self: Tensor) => each.cast(self, dtype))
hidden(methods, 'to', function (this: Tensor, ...args: unknown[]) {
  const options = args.find((one) => typeof one === 'object' && one !== null && !(one instanceof Dtype) && !isTensor(one)) as
    { dtype?: unknown } | undefined
  const like = args.find(isTensor)
  // A text is a dtype by its name, or a device, of which there is one.
  const text = args.find((one) => typeof one === 'string' && !/^(cpu|cuda)\b/.test(one))
  const dtype = like?.dtype ?? args.find((one) => one instanceof Dtype) ?? text ?? options?.dtype
  return dtype ? each.cast(this, creation.dtypeOf(dtype, 'to')!) : this
})
method('type', 'dtype=null', (self: Tensor, dtype: unknown) =>
  dtype === null ? `torch.${self.dtype.title}Tensor` : each.cast(self, creation.dtypeOf(dtype, 'type')!),
)
method('type_as', 'other', (self: Tensor, other: Tensor) => each.cast(self, other.dtype))
both('clone', '', (self: Tensor) => new Tensor(self.node, isDense(self) ? self.strides : contiguousStrides(self.node.shape)))
method('detach cpu cuda requires_grad_ data_', '', (self: Tensor) => self)
// Values never change here: what would change them says so.
for (const name of 'add sub mul div pow zero fill copy clamp relu neg abs exp sqrt floor ceil round fmod remainder masked_fill index_fill'.split(
  ' ',
))
  hidden(methods, `${name}_`, () => {
    throw new RuntimeError(`${name}_() changes a tensor in place, which is not supported here; give the changed one a name of its own`)
  })
method('numpy', '', (self: Tensor) => self.tolist())
const isDense = (self: Tensor) => {
  const order = self.node.shape.map((_, at) => at).sort((a, b) => self.strides[b]! - self.strides[a]!)
  return isContiguous(
    order.map((at) => self.node.shape[at]!),
    order.map((at) => self.strides[at]!),
  )
}
for (const [name, get] of Object.entries({
  T: move.reversed,
  mT: (self: Tensor) => move.transpose(self, -2, -1),
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
        throw new TypeError('a tensor’s values can’t be assigned to here; make a new one with where(), cat() or masked_fill()')
      return Reflect.set(target, name, value, receiver)
    },
    get(target, key, receiver: unknown) {
      if (typeof key === 'string' && /^-?\d+$/.test(key) && isTensor(receiver)) return move.at(receiver, Number(key))
      return Reflect.get(target, key, receiver) as unknown
    },
  }),
)

// nn.functional.
function f(names: string, signature: string, body: Body) {
  for (const name of names.split(' ')) functional[name] = named(callable(name, signature, body), name)
}
f('linear', 'input, weight, bias=null', products.linear)
f('conv2d', 'input, weight, bias=null, stride=1, padding=0, dilation=1, groups=1', products.conv2d)
fn('conv2d', 'input, weight, bias=null, stride=1, padding=0, dilation=1, groups=1', products.conv2d)
const tensorFirst = (name: string, body: (tensor: Tensor, ...args: never[]) => unknown) =>
  ((value: unknown, ...args: never[]) => body(mustBeTensor(value, name, 'input', 1), ...args)) as Body
f('relu', 'input', tensorFirst('relu', each.unary.relu))
f('sigmoid', 'input', tensorFirst('sigmoid', each.unary.sigmoid))
f('tanh', 'input', tensorFirst('tanh', each.unary.tanh))
f('gelu', 'input, approximate="none"', tensorFirst('gelu', each.gelu))
f('leaky_relu', 'input, negative_slope=0.01', tensorFirst('leaky_relu', each.leakyRelu))
f(
  'silu',
  'input',
  tensorFirst('silu', (self) => each.mul(self, each.unary.sigmoid(self))),
)
f(
  'softmax',
  'input, dim, dtype=null',
  tensorFirst('softmax', (self: Tensor, dim: unknown) => reduce.softmax(self, dim, null)),
)
f(
  'log_softmax',
  'input, dim, dtype=null',
  tensorFirst('log_softmax', (self: Tensor, dim: unknown) => reduce.softmax(self, dim, null, true)),
)
f(
  'pad',
  'input, pad, mode="constant", value=0',
  tensorFirst('pad', (self: Tensor, pad: unknown, mode: unknown, value: unknown) => {
    if (!Array.isArray(pad) || pad.length % 2 !== 0) throw new RuntimeError('Padding length must be divisible by 2')
    if (pad.length / 2 > self.ndim) throw new RuntimeError('Padding length too large')
    if (mode !== 'constant') throw new RuntimeError(`pad: only the mode constant is supported here`)
    if (!isScalar(value ?? 0)) throw new TypeError(`pad(): argument 'value' must be Number, not ${typeName(value)}`)
    return (pad as number[]).reduce((found, count, at) => {
      const dim = self.ndim - 1 - Math.floor(at / 2)
      const length = found.node.shape[dim]!
      if (count === 0) return found
      if (count < 0) return at % 2 === 0 ? move.slice(found, dim, -count, length) : move.slice(found, dim, 0, length + count)
      const extra = creation.filled(found.shape.with(dim, count), Number(value ?? 0), found.dtype)
      return move.cat(at % 2 === 0 ? [extra, found] : [found, extra], dim)
    }, self)
  }),
)

Object.assign(torch, dtypes, { float: float32, double: float64, long: int64, int: int32, Tensor })
fn('manual_seed', 'seed', () => undefined)
fn('is_grad_enabled', '', () => false)
for (const name of ['no_grad', 'inference_mode'])
  torch[name] = (body?: unknown) => (typeof body === 'function' ? (body as () => unknown)() : undefined)
torch['nn'] = { functional }
torch['cuda'] = { is_available: () => false }
