/** What a device computes, by ONNX Runtime's own records, and what becomes of what it can't hold. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeBase64, createRng } from '@stateeval/program'
import { completeLimits, createSandbox } from '@stateeval/sandbox'
import { checkGraph, type ElementType, sizes } from '../graph/check.ts'
import type { ProviderOperations } from '../graph/provider.ts'
import { createRemoteRuntime, type RemoteRuntime } from '../graph/remote.ts'
import { createTensorWorld } from '../index.ts'
import { product } from '../torch/strides.ts'
import { swiftShader, whyNoSwiftShader } from './swiftshader.ts'

let runtime: RemoteRuntime
beforeAll(async () => {
  if (whyNoSwiftShader !== undefined) console.warn(`webgpu is not tested: ${whyNoSwiftShader}`)
  else runtime = await createRemoteRuntime({ maxWorkers: 1, choice: 'webgpu', env: swiftShader })
})
afterAll(() => runtime?.close())
const onDevice = whyNoSwiftShader === undefined ? test : test.skip

const leafOf = (shape: number[], dtype: ElementType = 'float32', numbers?: number[]) => ({
  op: 'leaf',
  dtype,
  shape,
  data: encodeBase64(
    dtype === 'float32'
      ? new Uint8Array(
          Float32Array.from(numbers ?? Array.from({ length: product(shape) }, (_, n) => n)).buffer,
        )
      : new Uint8Array(product(shape) * sizes[dtype]),
  ),
})
async function placed(nodes: unknown[]): Promise<ProviderOperations> {
  const graph = checkGraph({ nodes, outputs: [nodes.length - 1], keep: [] }, new Map())
  return (await runtime.run(graph, graph.outputs, 'webgpu')).operations
}
const [matrix, image, whole] = [leafOf([2, 3]), leafOf([1, 2, 3, 3]), leafOf([2, 3], 'int64')]
const convolution = {
  op: 'conv',
  in: [0, 0],
  stride: [1, 1],
  pads: [0, 0, 0, 0],
  dilation: [1, 1],
  groups: 1,
}

describe('ONNX Runtime’s own records say which operations the device computed', () => {
  onDevice.each<[string, unknown[], ProviderOperations]>([
    ['reshape', [matrix, { op: 'reshape', in: [0], shape: [6] }], { webgpu: 1 }],
    ['expand', [leafOf([1, 3]), { op: 'expand', in: [0], shape: [2, 3] }], { webgpu: 1 }],
    ['permute', [matrix, { op: 'permute', in: [0], dims: [1, 0] }], { webgpu: 1 }],
    ['cat', [matrix, { op: 'cat', in: [0, 0], dim: 0 }], { webgpu: 1 }],
    ['slice', [matrix, { op: 'slice', in: [0], dim: 1, start: 0, end: 2, step: 1 }], { webgpu: 1 }],
    ['gather', [matrix, { op: 'gather', in: [0], dim: 1, indices: [2, 0] }], { webgpu: 1 }],
    ...['add', 'sub', 'mul'].map((op): [string, unknown[], ProviderOperations] => [
      op,
      [matrix, { op, in: [0, 0] }],
      { webgpu: 1 },
    ]),
    ...['neg', 'abs', 'floor', 'ceil'].map((op): [string, unknown[], ProviderOperations] => [
      op,
      [matrix, { op, in: [0] }],
      { webgpu: 1 },
    ]),
    ['sum', [matrix, { op: 'sum', in: [0], dims: [1], keepdim: false }], { webgpu: 1 }],
    ['matmul', [leafOf([3, 3]), { op: 'matmul', in: [0, 0] }], { webgpu: 1 }],
    ['conv', [image, convolution], { webgpu: 1 }],
    ...['div', 'pow', 'lt', 'max2'].map((op): [string, unknown[], ProviderOperations] => [
      op,
      [leafOf([2], 'float32', [1, 2]), { op, in: [0, 0] }],
      { cpu: 1 },
    ]),
    ...['exp', 'sin', 'sqrt', 'relu', 'tanh'].map((op): [string, unknown[], ProviderOperations] => [
      op,
      [matrix, { op, in: [0] }],
      { cpu: 1 },
    ]),
    ['integers', [whole, { op: 'add', in: [0, 0] }], { cpu: 1 }],
    ['no elements', [leafOf([0, 3]), { op: 'neg', in: [0] }], { cpu: 1 }],
    ['seven dimensions', [leafOf([1, 1, 1, 1, 1, 1, 2]), { op: 'neg', in: [0] }], { cpu: 1 }],
    ['NaN', [leafOf([2], 'float32', [NaN, 1]), { op: 'neg', in: [0] }], { cpu: 1 }],
    [
      'a sum that overflows',
      [leafOf([2], 'float32', [2 ** 99, 2 ** 99]), { op: 'mul', in: [0, 0] }],
      { cpu: 1 },
    ],
    [
      'types of all kinds in one graph',
      [
        matrix,
        whole,
        { op: 'mul', in: [0, 0] },
        { op: 'cast', in: [1], to: 'float32' },
        { op: 'add', in: [2, 3] },
      ],
      { webgpu: 2, cpu: 1 },
    ],
  ])('%s', async (_, nodes, operations) => {
    expect(await placed(nodes)).toEqual(operations)
  })
})

onDevice(
  'values stay on the device between its operations; only what the CPU computes is copied',
  async () => {
    const copied = async (between: string) => {
      const nodes = [leafOf([2, 2]), { op: 'matmul', in: [0, 0] }, { op: between, in: [1, 1] }]
      for (let at = 2; at < 20; at++) nodes.push({ op: 'add', in: [at, at] })
      const graph = checkGraph({ nodes, outputs: [nodes.length - 1], keep: [] }, new Map())
      const { operations, copies } = await runtime.run(graph, graph.outputs, 'webgpu')
      return [operations, copies]
    }
    expect(await copied('mul')).toEqual([{ webgpu: 20 }, 0])
    expect(await copied('div')).toEqual([{ webgpu: 19, cpu: 1 }, 2])
  },
)

onDevice('programs that share a device have processes of their own', async () => {
  const shared = await createRemoteRuntime({ maxWorkers: 2, choice: 'webgpu', env: swiftShader })
  try {
    const graph = checkGraph({ nodes: [matrix, { op: 'neg', in: [0] }], outputs: [1], keep: [] }, new Map())
    const all = await Promise.all([0, 1, 2, 3].map(() => shared.run(graph, [1], 'webgpu')))
    expect(all.map(({ operations }) => operations)).toEqual(all.map(() => ({ webgpu: 1 })))
    expect(shared.pids()).toHaveLength(2)
    // One whose session stands still keeps no other waiting.
    const [still] = shared.pids() as [number]
    process.kill(still, 'SIGSTOP')
    const both = [0, 1].map((n) => shared.run(graph, [1], 'webgpu').then(() => n))
    const first = await Promise.any(both)
    expect(await shared.run(graph, [1], 'webgpu')).toMatchObject({ operations: { webgpu: 1 } })
    process.kill(still, 'SIGCONT')
    expect(await both[1 - first]).toBe(1 - first)
  } finally {
    await shared.close()
  }
})

onDevice(
  'a graph that the device has no memory for fails its run with the reason; repeated, it is computed on the CPU',
  async () => {
    const world = createTensorWorld({ choice: 'webgpu', env: swiftShader, deviceBytes: 64 })
    const sandbox = await createSandbox({ concurrency: 1 })
    try {
      const run = async (length: number) => {
        const a = { $tensor: { dtype: 'float32', shape: [length], data: leafOf([length]).data } }
        const [observation] = await sandbox.run(
          {
            language: 'javascript',
            code: 'RESULT = a.neg().shape; a.neg().tolist()',
            inputs: [{ variables: { a }, world: {} }],
            world,
            limits: completeLimits({ wallMs: 100_000 }),
          },
          new AbortController().signal,
        )
        return observation!
      }
      expect(await run(4)).toMatchObject({ tensors: { provider: 'webgpu', operations: { webgpu: 1 } } })
      expect(await run(100)).toMatchObject({
        ending: { status: 'completed', result: [100] },
        tensors: { provider: 'webgpu', operations: { cpu: 1 } },
      })
      const fresh = await createRemoteRuntime({
        maxWorkers: 1,
        choice: 'webgpu',
        env: swiftShader,
        deviceBytes: 64,
      })
      const graph = checkGraph(
        { nodes: [leafOf([100]), { op: 'neg', in: [0] }], outputs: [1], keep: [] },
        new Map(),
      )
      const first = fresh.run(graph, [1], 'webgpu')
      await expect(first).rejects.toThrow(
        'webgpu is out of memory: the tensors of the graph take 800 bytes, and it may use 64 (STATEEVAL_TENSOR_DEVICE_MIB)',
      )
      expect((await fresh.run(graph, [1], 'webgpu')).operations).toEqual({ cpu: 1 })
      await fresh.close()
    } finally {
      await sandbox.close()
      await world.close()
    }
  },
)

onDevice('chains of convolutions, permuted on the way, are computed rightly', async () => {
  const rng = createRng('chains')
  const random = (shape: number[]) =>
    leafOf(
      shape,
      'float32',
      Array.from({ length: product(shape) }, () => rng.int(-100, 100) / 64),
    )
  for (let round = 0; round < 12; round++) {
    const conv = (places: number[], stride: number, pad: number) => ({
      op: 'conv',
      in: places,
      stride: [stride, 1],
      pads: [pad, 0, pad, 0],
      dilation: [1, 1],
      groups: 1,
    })
    const nodes = [
      ...[random([3, 4, 5, 5]), random([4, 4, 2, 2]), random([4]), random([4, 4, 3, 3])],
      { op: 'permute', in: [0], dims: [0, 1, 3, 2] },
      conv([4, 1, 2], rng.int(1, 2), rng.int(0, 1)),
      conv([5, 3], 1, rng.int(1, 2)),
      { op: 'permute', in: [6], dims: rng.shuffle([0, 1, 2, 3]) },
      { op: 'add', in: [7, 7] },
    ]
    const graph = checkGraph({ nodes, outputs: [5, 7, 8], keep: [] }, new Map())
    const [cpu, device] = [
      await runtime.run(graph, graph.outputs),
      await runtime.run(graph, graph.outputs, 'webgpu'),
    ]
    expect(device.operations).toEqual({ webgpu: 5 })
    for (const at of graph.outputs) {
      const [expected, actual] = [cpu, device].map(
        ({ values }) => new Float32Array(Uint8Array.from(values.get(at)!.bytes).buffer),
      )
      const largest = Math.max(...expected!.map(Math.abs))
      expect(Math.max(...actual!.map((one, n) => Math.abs(one - expected![n]!)))).toBeLessThan(
        largest * 2 ** -14,
      )
    }
  }
})

const whenLong = process.env['STATEEVAL_LONG'] === '1' ? onDevice : test.skip
whenLong(
  'memory of graphs is given back: many large ones of different shapes take no more than a few',
  async () => {
    const [pid] = runtime.pids() as [number]
    const residentMiB = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
    const run = async (count: number, from: number) => {
      for (let at = from; at < from + count; at++) {
        const length = 1_000_000 + 1000 * at
        const nodes = [
          { op: 'leaf', dtype: 'float32', shape: [length], data: encodeBase64(new Uint8Array(4 * length)) },
          { op: 'neg', in: [0] },
          { op: 'add', in: [0, 1] },
          { op: 'sum', in: [2], dims: [0], keepdim: false },
        ]
        const graph = checkGraph({ nodes, outputs: [3], keep: [] }, new Map())
        expect((await runtime.run(graph, [3], 'webgpu')).operations).toEqual({ webgpu: 3 })
      }
    }
    await run(12, 0)
    const before = residentMiB()
    // Each holds 12 MiB: all of them would hold 360.
    await run(30, 12)
    expect(residentMiB() - before).toBeLessThan(60)
  },
)
