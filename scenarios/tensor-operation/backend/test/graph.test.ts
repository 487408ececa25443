import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeBase64 } from '@stateeval/program'
import { bounds, checkGraph, GraphError } from '../graph/check.ts'
import { createRuntime, type GraphRuntime } from '../graph/sessions.ts'

const data = (...numbers: number[]) => encodeBase64(new Uint8Array(Float32Array.from(numbers).buffer))
const leaf = { op: 'leaf', dtype: 'float32', shape: [2], data: data(1, 2) }
const graph = (nodes: unknown[], outputs: unknown[] = [nodes.length - 1], keep: unknown[] = []) => ({
  nodes,
  outputs,
  keep,
})

describe('graphs that only forging makes are refused, with what is wrong', () => {
  test.each<[string, unknown, RegExp]>([
    ['no graph', 7, /object of nodes/],
    ['a list', [], /object of nodes/],
    [
      'a cycle',
      graph([leaf, { op: 'add', in: [1, 2] }, { op: 'add', in: [0, 1] }]),
      /node 1 \(add\) refers to 1, which is not an earlier node/,
    ],
    ['a node that refers to itself', graph([{ op: 'neg', in: [0] }]), /refers to 0/],
    ['no number', graph([leaf, { op: 'neg', in: ['0'] }]), /refers to "0"/],
    ['an unknown operation', graph([leaf, { op: 'rm', in: [0] }]), /no such operation/],
    ['an operation of every object', graph([leaf, { op: 'constructor', in: [0] }]), /no such operation/],
    ['too many inputs', graph([leaf, { op: 'neg', in: [0, 0] }]), /wrong number of inputs/],
    ['an output that isn’t there', graph([leaf], [1]), /outputs names a node/],
    ['a value that was never kept', graph([{ op: 'kept', id: 3 }]), /was not kept/],
    ['an unsupported dtype', graph([{ ...leaf, dtype: 'float16' }]), /unsupported dtype/],
    ['a cast to nothing', graph([leaf, { op: 'cast', in: [0], to: '__proto__' }]), /dtype is unknown/],
    ['data that doesn’t fit', graph([{ ...leaf, shape: [3] }]), /has 8 bytes/],
    ['data that is no base64', graph([{ ...leaf, data: '{}' }]), /not valid base64/],
    [
      'a leaf above the bound',
      graph([{ op: 'leaf', dtype: 'float32', shape: [2 ** 11, 2 ** 11], data: '' }]),
      /a tensor may have 1048576/,
    ],
    [
      'sizes beyond numbers',
      graph([{ op: 'leaf', dtype: 'float32', shape: [2 ** 40, 2 ** 40], data: '' }]),
      /a tensor may have/,
    ],
    [
      'a huge expansion',
      graph([
        { ...leaf, shape: [1, 2] },
        { op: 'expand', in: [0], shape: [2 ** 30, 2] },
      ]),
      /a tensor may have/,
    ],
    [
      'a reshape that makes elements',
      graph([leaf, { op: 'reshape', in: [0], shape: [3] }]),
      /number of elements/,
    ],
    [
      'shapes that were lied about',
      graph([leaf, { op: 'permute', in: [0], dims: [0, 1] }]),
      /dims must be a list/,
    ],
    [
      'a slice beyond the end',
      graph([leaf, { op: 'slice', in: [0], dim: 0, start: 0, end: 9, step: 1 }]),
      /end must be/,
    ],
    [
      'an index beyond the end',
      graph([leaf, { op: 'gather', in: [0], dim: 0, indices: [2] }]),
      /indices must be/,
    ],
    ['types that don’t fit', graph([leaf, { op: 'not', in: [0] }]), /does not support float32/],
    [
      'broadcasting that doesn’t fit',
      graph([
        leaf,
        { ...leaf, shape: [1], data: data(1) },
        { ...leaf, shape: [3], data: data(1, 2, 3) },
        { op: 'add', in: [0, 2] },
      ]),
      /do not fit/,
    ],
    [
      'a convolution of nothing',
      graph([
        leaf,
        { op: 'conv', in: [0, 0], stride: [1, 1], pads: [0, 0, 0, 0], dilation: [1, 1], groups: 1 },
      ]),
      /four dimensions/,
    ],
    [
      'many tensors',
      graph([
        { ...leaf, shape: [1], data: data(1) },
        ...Array.from({ length: 300 }, () => ({ op: 'expand', in: [0], shape: [2 ** 20] })),
      ]),
      /bytes together/,
    ],
    [
      'many operations',
      graph([leaf, ...Array.from({ length: bounds.nodes }, () => ({ op: 'neg', in: [0] }))]),
      /at most 20000/,
    ],
    [
      'much that is read',
      graph([
        { ...leaf, shape: [1], data: data(1) },
        { op: 'expand', in: [0], shape: [2 ** 20] },
        ...Array.from({ length: 3000 }, () => ({ op: 'sum', in: [1], dims: [0] })),
      ]),
      /reads more elements/,
    ],
    [
      'a product of nothing',
      graph([
        { ...leaf, shape: [0, 2], data: '' },
        { op: 'matmul', in: [0, 0] },
      ]),
      /matrices do not fit/,
    ],
    [
      'a product with nothing',
      graph([
        { ...leaf, shape: [0, 1, 1], data: '' },
        { ...leaf, shape: [1, 1], data: data(1) },
        { op: 'matmul', in: [1, 0] },
      ]),
      /no elements/,
    ],
    [
      'convolutions that take much on the way',
      graph([
        { op: 'leaf', dtype: 'float64', shape: [1, 1, 1, 1], data: 'AAAAAAAA8D8=' },
        { op: 'expand', in: [0], shape: [1, 1, 16, 16] },
        { op: 'conv', in: [0, 1], stride: [1, 1], pads: [500, 500, 500, 500], dilation: [1, 1], groups: 1 },
      ]),
      /bytes together/,
    ],
    [
      'convolutions of many places',
      graph([
        { op: 'leaf', dtype: 'float64', shape: [1, 1, 1, 1], data: 'AAAAAAAA8D8=' },
        { op: 'expand', in: [0], shape: [1, 1, 16, 16] },
        ...Array.from({ length: 200 }, () => ({
          op: 'conv',
          in: [1, 1],
          stride: [1, 1],
          pads: [0, 0, 0, 0],
          dilation: [1, 1],
          groups: 1,
        })),
      ]),
      /multiplications/,
    ],
    [
      'much work',
      graph([
        { ...leaf, shape: [1, 1], data: data(1) },
        { op: 'expand', in: [0], shape: [1024, 1024] },
        ...Array.from({ length: 3 }, () => ({ op: 'matmul', in: [1, 1] })),
      ]),
      /multiplications/,
    ],
  ])('%s', (_, value, message) => {
    expect(() => checkGraph(value, new Map())).toThrow(GraphError)
    expect(() => checkGraph(value, new Map())).toThrow(message)
  })
})

describe('graphs are run', () => {
  let runtime: GraphRuntime
  beforeAll(async () => {
    runtime = createRuntime(3)
  })
  afterAll(() => runtime.close())
  const numbers = (bytes: Uint8Array) => [...new Float32Array(new Uint8Array(bytes).buffer)]
  const run = async (value: unknown) => {
    const checked = checkGraph(value, new Map())
    const { values } = await runtime.run(checked, checked.outputs)
    return checked.outputs.map((at) => numbers(values.get(at)!.bytes))
  }

  test('what is asked for is computed, what is given needs no computing', async () => {
    expect(await run(graph([leaf, { op: 'neg', in: [0] }], [1, 0, 1]))).toEqual([
      [-1, -2],
      [1, 2],
      [-1, -2],
    ])
    expect(await run(graph([leaf]))).toEqual([[1, 2]])
  })
  test('what has no dimensions keeps none on the way', async () => {
    const single = { ...leaf, shape: [], data: data(-2) }
    const nodes = ['relu', 'sign', 'neg'].map((op, at) => ({ op, in: [at] }))
    expect(
      await run(
        graph(
          [single, ...nodes, { op: 'permute', in: [1], dims: [] }, { op: 'permute', in: [3], dims: [] }],
          [4, 5],
        ),
      ),
    ).toEqual([[0], [-0]])
  })
  test('what is no finite number stays as it is', async () => {
    const odd = { ...leaf, shape: [4], data: data(NaN, Infinity, -Infinity, -0) }
    expect(await run(graph([odd, { op: 'neg', in: [0] }]))).toEqual([[NaN, -Infinity, Infinity, 0]])
  })
  test.each(['int32', 'int64'])('the least %s divided by -1 ends nothing', async (dtype) => {
    const bytes = dtype === 'int32' ? 4 : 8
    const of = (...ends: number[]) =>
      encodeBase64(Uint8Array.from({ length: bytes }, (_, at) => ends[at === bytes - 1 ? 1 : 0]!))
    const nodes = [of(0, 0x80), of(0xff, 0xff)].map((text) => ({ op: 'leaf', dtype, shape: [], data: text }))
    const checked = checkGraph(
      graph([...nodes, { op: 'div', in: [0, 1] }, { op: 'fmod', in: [0, 1] }], [2, 3]),
      new Map(),
    )
    const { values } = await runtime.run(checked, checked.outputs)
    expect([2, 3].map((at) => encodeBase64(values.get(at)!.bytes))).toEqual([of(0, 0x80), of(0, 0)])
  })
  test('graphs of one structure share a session; those that nobody uses are given up', async () => {
    const before = runtime.counts()
    const scaled = (shape: number[]) =>
      graph([
        { ...leaf, shape, data: data(...shape.flatMap((size) => Array.from({ length: size }, () => 2))) },
        { op: 'exp', in: [0] },
      ])
    for (const size of [3, 3, 4, 5, 6, 7, 3]) await run(scaled([size]))
    const { created, reused } = runtime.counts()
    expect([created - before.created, reused - before.reused]).toEqual([6, 1])
  })
  test('sessions of large models are given up before their number is reached', async () => {
    const few = createRuntime(100, 20_000)
    const picked = (first: number) =>
      checkGraph(
        graph([
          leaf,
          { op: 'gather', in: [0], dim: 0, indices: [first, ...Array.from({ length: 1000 }, () => 1)] },
        ]),
        new Map(),
      )
    for (const first of [0, 1, 0, 1]) await few.run(picked(first), [1])
    expect(few.counts()).toEqual({ created: 2, reused: 2 })
    const longer = checkGraph(
      graph([leaf, { op: 'gather', in: [0], dim: 0, indices: Array.from({ length: 15_000 }, () => 1) }]),
      new Map(),
    )
    await few.run(longer, [1])
    await few.run(picked(0), [1])
    expect(few.counts()).toEqual({ created: 4, reused: 2 })
    await few.close()
  })
  test('many at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        run(
          graph([
            { ...leaf, data: data(at, 1) },
            { op: 'neg', in: [0] },
          ]),
        ),
      ),
    )
    expect(all.map(([values]) => values![0])).toEqual(Array.from({ length: 40 }, (_, at) => -at))
  })
})
