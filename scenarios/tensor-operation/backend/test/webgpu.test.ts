/** The same programs on a GPU's code path and on the CPU give the same. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { base64, createRng } from '@stateeval/program'
import { completeLimits, createSandbox } from '@stateeval/sandbox'
import { checkGraph, type ElementType, sizes } from '../graph/check.ts'
import type { Operations, Provider } from '../graph/provider.ts'
import { createRemoteRuntime, type RemoteRuntime } from '../graph/remote.ts'
import { createTensorWorld } from '../index.ts'
import { decodeNumbers } from '../torch/base64.ts'
import { product } from '../torch/strides.ts'
import { Tensor } from '../torch/tensor.ts'
import { compute } from './agree.ts'
import { calls } from './calls.ts'
import { type Program, randomProgram } from './programs.ts'
import { swiftShader, whyNoSwiftShader } from './swiftshader.ts'

const isLong = process.env['STATEEVAL_LONG'] === '1'
const count = isLong ? 2000 : 100

let runtime: RemoteRuntime
beforeAll(async () => {
  if (whyNoSwiftShader !== undefined) console.warn(`webgpu is not tested: ${whyNoSwiftShader}`)
  else runtime = await createRemoteRuntime({ maxWorkers: 1, choice: 'webgpu', env: swiftShader })
})
afterAll(() => runtime?.close())

interface Told {
  says: string
  dtype: string
  numbers: number[]
}

async function valuesOn(
  provider: Provider,
  make: () => Program,
): Promise<{ told: Told[]; operations: Operations }> {
  const program = make()
  const operations = await compute(runtime, program, provider)
  const told: Told[] = []
  const collect = (says: string, value: unknown) => {
    if (Array.isArray(value)) value.forEach((one) => collect(says, one))
    if (!(value instanceof Tensor)) return
    const { name } = value.dtype
    const numbers = decodeNumbers(value.node.data!, name, product(value.node.shape)).map(Number)
    told.push({ says: `${says}: ${name} [${value.shape.join()}]`, dtype: name, numbers })
  }
  for (const { name, python, value } of program.steps) collect(`${name} = ${python}`, value)
  return { told, operations }
}

const unit: Readonly<Record<string, number>> = { float32: 2 ** -24, float64: 2 ** -53 }
/** As scores are judged: 16 units times the terms that are added up, 64 at least, of the largest element. */
const room = ({ dtype, numbers }: Told) =>
  16 * 64 * (unit[dtype] ?? 0) * Math.max(0, ...numbers.filter(Number.isFinite).map(Math.abs))

function apart(expected: Told, found: Told): string[] {
  const allowed = room(expected)
  const at = expected.numbers.findIndex((number, place) => {
    const other = found.numbers[place]!
    return !(
      number === other ||
      (Number.isNaN(number) && Number.isNaN(other)) ||
      Math.abs(number - other) <= allowed
    )
  })
  return at < 0 ? [] : [`${expected.says}: ${found.numbers[at]} at ${at}, on the CPU ${expected.numbers[at]}`]
}

const onDevice = whyNoSwiftShader === undefined ? test : test.skip

const leafOf = (shape: number[], dtype: ElementType = 'float32', numbers?: number[]) => ({
  op: 'leaf',
  dtype,
  shape,
  data: base64(
    dtype === 'float32'
      ? new Uint8Array(
          Float32Array.from(numbers ?? Array.from({ length: product(shape) }, (_, n) => n)).buffer,
        )
      : new Uint8Array(product(shape) * sizes[dtype]),
  ),
})
async function placed(nodes: unknown[]): Promise<Operations> {
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
  onDevice.each<[string, unknown[], Operations]>([
    ['reshape', [matrix, { op: 'reshape', in: [0], shape: [6] }], { webgpu: 1 }],
    ['expand', [leafOf([1, 3]), { op: 'expand', in: [0], shape: [2, 3] }], { webgpu: 1 }],
    ['permute', [matrix, { op: 'permute', in: [0], dims: [1, 0] }], { webgpu: 1 }],
    ['cat', [matrix, { op: 'cat', in: [0, 0], dim: 0 }], { webgpu: 1 }],
    ['slice', [matrix, { op: 'slice', in: [0], dim: 1, start: 0, end: 2, step: 1 }], { webgpu: 1 }],
    ['gather', [matrix, { op: 'gather', in: [0], dim: 1, indices: [2, 0] }], { webgpu: 1 }],
    ...['add', 'sub', 'mul'].map((op): [string, unknown[], Operations] => [
      op,
      [matrix, { op, in: [0, 0] }],
      { webgpu: 1 },
    ]),
    ...['neg', 'abs', 'floor', 'ceil'].map((op): [string, unknown[], Operations] => [
      op,
      [matrix, { op, in: [0] }],
      { webgpu: 1 },
    ]),
    ['sum', [matrix, { op: 'sum', in: [0], dims: [1], keepdim: false }], { webgpu: 1 }],
    ['matmul', [leafOf([3, 3]), { op: 'matmul', in: [0, 0] }], { webgpu: 1 }],
    ['conv', [image, convolution], { webgpu: 1 }],
    ...['div', 'pow', 'lt', 'max2'].map((op): [string, unknown[], Operations] => [
      op,
      [leafOf([2], 'float32', [1, 2]), { op, in: [0, 0] }],
      { cpu: 1 },
    ]),
    ...['exp', 'sin', 'sqrt', 'relu', 'tanh'].map((op): [string, unknown[], Operations] => [
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

onDevice('programs that share a device have processes of their own', async () => {
  const shared = await createRemoteRuntime({ maxWorkers: 2, choice: 'webgpu', env: swiftShader })
  try {
    const graph = checkGraph({ nodes: [matrix, { op: 'neg', in: [0] }], outputs: [1], keep: [] }, new Map())
    const all = await Promise.all([0, 1, 2, 3].map(() => shared.run(graph, [1], 'webgpu')))
    expect(all.map(({ operations }) => operations)).toEqual(all.map(() => ({ webgpu: 1 })))
    expect(shared.pids()).toHaveLength(2)
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
            limits: completeLimits(),
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
  120_000,
)

onDevice(
  `${count} programs of all operations and dtypes, empty tensors, NaN and infinities give on webgpu what they give on the CPU`,
  async () => {
    const makers = [
      () => calls(),
      ...Array.from(
        { length: count },
        (_, at) => () =>
          randomProgram(createRng(`webgpu/${at}`), isLong ? 12 : 8, {
            odd: at % 4 === 0 ? 0.2 : 0,
            single: at % 2 === 1,
          }),
      ),
    ]
    const found: string[] = []
    let whole = 0
    const computed = { webgpu: 0, cpu: 0 }
    for (const [at, make] of makers.entries()) {
      const { told: expected } = await valuesOn('cpu', make)
      const { told: values, operations } = await valuesOn('webgpu', make)
      if (operations.webgpu === undefined) whole++
      for (const provider of ['webgpu', 'cpu'] as const) computed[provider] += operations[provider] ?? 0
      found.push(
        ...expected.flatMap((one, n) => apart(one, values[n]!)).map((text) => `program ${at}: ${text}`),
      )
    }
    expect(found).toEqual([])
    // Most programs have operations that the device computes.
    expect(whole).toBeLessThan(count / 2)
    expect(computed.webgpu).toBeGreaterThan(count)
  },
  3_600_000,
)
