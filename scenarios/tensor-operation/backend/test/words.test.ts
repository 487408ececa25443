import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { functional as F, torch as all } from '../torch/functions.ts'
import { dtypes } from '../torch/dtype.ts'
import { connect } from '../torch/graph.ts'
import { constant } from '../torch/tensor.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- programs know no types
type Anything = any
const torch: Record<string, Anything> = all
const f: Record<string, Anything> = F
const zeros = (...shape: number[]) =>
  constant(
    Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => 0),
    shape,
    dtypes.float32,
  ) as Anything
const [x, y, z, scalar] = [zeros(2, 3), zeros(3, 4), zeros(2, 3, 4), zeros()]
const [image, weight] = [zeros(1, 4, 5, 5), zeros(6, 4, 3, 3)]
const long = constant([0, 0, 0, 0, 0, 0], [2, 3], dtypes.int64) as Anything
const bool = constant([0, 0, 0, 0, 0, 0], [2, 3], dtypes.bool) as Anything

// The usual bounds, whatever host another file connected.
let before: ReturnType<typeof connect>
beforeAll(() => {
  before = connect(undefined)
})
afterAll(() => void connect(before))

describe('errors in PyTorch’s own words (recorded from 1.13)', () => {
  test.each<[string, () => unknown, string]>([
    [
      'cat of nothing',
      () => torch['cat']!([]),
      'RuntimeError: torch.cat(): expected a non-empty list of Tensors',
    ],
    [
      'cat of a tensor',
      () => torch['cat']!(x),
      "TypeError: cat(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor",
    ],
    [
      'cat of a number',
      () => torch['cat']!([x, 1]),
      'TypeError: expected Tensor as element 1 in argument 0, but got int',
    ],
    [
      'cat of sizes',
      () => torch['cat']!([x, y]),
      'RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the list.',
    ],
    [
      'cat of ranks',
      () => torch['cat']!([x, z]),
      'RuntimeError: Tensors must have same number of dimensions: got 2 and 3',
    ],
    [
      'cat of scalars',
      () => torch['cat']!([x, scalar]),
      'RuntimeError: zero-dimensional tensor (at position 1) cannot be concatenated',
    ],
    [
      'cat too far',
      () => torch['cat']!([x, x], -3),
      'IndexError: Dimension out of range (expected to be in range of [-2, 1], but got -3)',
    ],
    [
      'an unknown keyword',
      () => torch['cat']!([x], { foo: 1 }),
      "TypeError: cat() got an unexpected keyword argument 'foo'",
    ],
    [
      'split by 0',
      () => torch['split']!(x, 0),
      'RuntimeError: split_size can only be 0 if dimension size is 0, but got dimension size of 2',
    ],
    [
      'split by −1',
      () => torch['split']!(x, -1),
      'RuntimeError: split expects split_size be non-negative, but got split_size=-1',
    ],
    [
      'split of other sums',
      () => torch['split']!(x, [1, 1], 1),
      "RuntimeError: split_with_sizes expects split_sizes to sum exactly to 3 (input tensor's size at dimension 1), but got split_sizes=[1, 1]",
    ],
    [
      'split of a scalar',
      () => torch['split']!(scalar, 1),
      'RuntimeError: split expects at least a 1-dimensional tensor',
    ],
    [
      'split by half',
      () => torch['split']!(x, 1.5),
      "TypeError: split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, not float",
    ],
    [
      'transpose too far',
      () => torch['transpose']!(x, 0, 2),
      'IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)',
    ],
    [
      'permute of too few',
      () => torch['permute']!(x, [0]),
      'RuntimeError: permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = 2 is not equal to len(dims) = 1',
    ],
    [
      'permute of one twice',
      () => torch['permute']!(x, [0, -2]),
      'RuntimeError: permute(): duplicate dims are not allowed.',
    ],
    [
      'permute of numbers',
      () => torch['permute']!(x, 1, 0),
      'TypeError: permute() takes 2 positional arguments but 3 were given',
    ],
    [
      'linear',
      () => f['linear']!(z, zeros(5, 3)),
      'RuntimeError: mat1 and mat2 shapes cannot be multiplied (6x4 and 3x5)',
    ],
    [
      'linear without weight',
      () => f['linear']!(x),
      'TypeError: linear() missing 1 required positional arguments: "weight"',
    ],
    [
      'linear with another bias',
      () => f['linear']!(x, zeros(4, 3), zeros(5)),
      'RuntimeError: The expanded size of the tensor (4) must match the existing size (5) at non-singleton dimension 1.  Target sizes: [2, 4].  Tensor sizes: [5]',
    ],
    [
      'linear of types',
      () => f['linear']!(long, zeros(4, 3)),
      'RuntimeError: expected scalar type Long but found Float',
    ],
    [
      'conv2d of channels',
      () => f['conv2d']!(image, zeros(6, 3, 3, 3)),
      'RuntimeError: Given groups=1, weight of size [6, 3, 3, 3], expected input[1, 4, 5, 5] to have 3 channels, but got 4 channels instead',
    ],
    [
      'conv2d of a large kernel',
      () => f['conv2d']!(image, weight, { dilation: 3 }),
      "RuntimeError: Calculated padded input size per channel: (5 x 5). Kernel size: (7 x 7). Kernel size can't be greater than actual input size",
    ],
    [
      'conv2d with another bias',
      () => f['conv2d']!(image, weight, zeros(5)),
      'RuntimeError: Given weight of size [6, 4, 3, 3], expected bias to be 1-dimensional with 6 elements, but got bias of size [5] instead',
    ],
    [
      'conv2d of two dimensions',
      () => f['conv2d']!(x, weight),
      'RuntimeError: Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [2, 3]',
    ],
    [
      'conv2d without steps',
      () => f['conv2d']!(image, weight, { stride: 0 }),
      'RuntimeError: non-positive stride is not supported',
    ],
    [
      'conv2d with steps and same',
      () => f['conv2d']!(image, weight, { stride: 2, padding: 'same' }),
      "RuntimeError: padding='same' is not supported for strided convolutions",
    ],
    [
      'conv2d padded so',
      () => f['conv2d']!(image, weight, { padding: 'full' }),
      "RuntimeError: Invalid padding string: 'full'",
    ],
    [
      'conv2d in groups',
      () => f['conv2d']!(image, zeros(5, 2, 3, 3), { groups: 2 }),
      'RuntimeError: Given groups=2, expected weight to be divisible by 2 at dimension 0, but got weight of size [[5, 2, 3, 3]] instead',
    ],
    [
      'conv2d of types',
      () => f['conv2d']!(image['double']!(), weight),
      'RuntimeError: expected scalar type Double but found Float',
    ],
    ['reshape', () => x['reshape']!(4), "RuntimeError: shape '[4]' is invalid for input of size 6"],
    [
      'view of what lies otherwise',
      () => x['t']!()['view']!(6),
      "RuntimeError: view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
    ],
    [
      'broadcasting',
      () => torch['add']!(x, y),
      'RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1',
    ],
    [
      'booleans subtracted',
      () => torch['sub']!(bool, bool),
      'RuntimeError: Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.',
    ],
    [
      'a mean of integers',
      () => long['mean']!(),
      'RuntimeError: mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long',
    ],
    [
      'item of several',
      () => x['item']!(),
      'ValueError: only one element tensors can be converted to Python scalars',
    ],
    ['an index too far', () => x[2], 'IndexError: index 2 is out of bounds for dimension 0 with size 2'],
    [
      'stack',
      () => torch['stack']!([x, y]),
      'RuntimeError: stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [3, 4] at entry 1',
    ],
    [
      'repeated too often',
      () => x['repeat']!(1, 1e9),
      "RuntimeError: DefaultCPUAllocator: can't allocate memory: you tried to allocate 24000000000 bytes. Here a tensor may have 1048576 elements.",
    ],
    [
      'too many dimensions',
      () => x['reshape']!(Array.from({ length: 17 }, (_, at) => (at === 0 ? 6 : 1))),
      'RuntimeError: Here a tensor may have 16 dimensions, not 17.',
    ],
    [
      'a type that no tensor here has',
      () => torch['zeros']!(2, { dtype: torch['float16'] }),
      'TypeError: tensors of torch.float16 are not supported here; supported are float32, float64, int64, int32, bool',
    ],
    [
      'a call that fits no signature',
      () => x['max']!({ keepdim: true }),
      'TypeError: max() received an invalid combination of arguments - got (keepdim=bool)',
    ],
    [
      'more than one tensor as an index',
      () => x['index']!(long, long),
      'RuntimeError: index(): only one index may be a tensor here',
    ],
    [
      'the same bytes as another type',
      () => x['view']!(torch['int32']),
      'RuntimeError: view(dtype) reads the same bytes as another type, which is not supported here; to(dtype) converts the values',
    ],
    [
      'too large',
      () => torch['zeros']!(100000, 100000),
      "RuntimeError: DefaultCPUAllocator: can't allocate memory: you tried to allocate 40000000000 bytes. Here a tensor may have 1048576 elements.",
    ],
  ])('%s', (_, work, words) => {
    let message = 'nothing'
    try {
      work()
    } catch (error) {
      message = `${(error as Error).name}: ${(error as Error).message}`
    }
    expect(message).toBe(words)
  })
})

test('arguments by position, by name, and by the names of NumPy', () => {
  const shapes = [
    torch['cat']!([x, x], 1),
    torch['cat']!([x, x], { dim: 1 }),
    torch['cat']!({ tensors: [x, x], axis: 1 }),
    x['sum']!({ dim: 0, keepdims: true }),
  ]
  expect(shapes.map((one) => one.shape)).toEqual([
    [2, 6],
    [2, 6],
    [2, 6],
    [1, 3],
  ])
})
test('what tells of a tensor', () => {
  expect([
    x.shape,
    x['size']!(),
    x['size']!(-1),
    x['dim']!(),
    x.ndim,
    x['numel']!(),
    String(x.dtype),
    x['t']!()['is_contiguous']!(),
  ]).toEqual([[2, 3], [2, 3], 3, 2, 2, 6, 'torch.float32', false])
  expect([...(x as Iterable<{ shape: number[] }>)].map(({ shape }) => shape)).toEqual([[3], [3]])
})
