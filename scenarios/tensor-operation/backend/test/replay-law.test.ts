/** The same graphs, and the same calls of tools, give the same bytes on one machine. */
import { toJson, type JsonValue } from '@stateeval/contracts'
import { encodeBase64 } from '@stateeval/program'
import { callTool, replayLaw } from '@stateeval/sandbox-suites/world-laws'
import fc from 'fast-check'
import { tools } from '../../tools.ts'
import { createTensorWorld } from '../world.ts'

const leaf = (numbers: readonly number[]) => ({
  op: 'leaf',
  dtype: 'float32',
  shape: [numbers.length],
  data: encodeBase64(new Uint8Array(Float32Array.from(numbers).buffer)),
})
const number = fc.float({ noNaN: true, noDefaultInfinity: true })

replayLaw('tensor-operation', () => Promise.resolve(createTensorWorld()), {
  initial: {},
  entry: fc.record({
    op: fc.constantFrom('neg', 'exp', 'sin', 'rm'),
    numbers: fc.array(number, { minLength: 1, maxLength: 4 }),
    isKept: fc.boolean(),
  }),
  async send({ channel }, { op, numbers, isKept }) {
    if (channel.kind !== 'calls') throw new Error('no calls')
    const nodes = [isKept ? { op: 'kept', id: 1 } : leaf(numbers), { op, in: [0] }]
    const graph = { nodes, outputs: [1], keep: isKept ? [] : [[1, 1]] }
    return JSON.stringify(await channel.handle('run', toJson(graph)))
  },
})

const tensor = (shape: number[], numbers: readonly number[]) => ({
  $tensor: { dtype: 'float32', shape, data: encodeBase64(new Uint8Array(Float32Array.from(numbers).buffer)) },
})
const variables: Record<string, JsonValue> = {
  x: tensor([2, 3], [1.5, -2, 3, 0.25, 5, 1e-3]),
  image: tensor(
    [1, 2, 3, 4],
    Array.from({ length: 24 }, (_, at) => Math.sin(at)),
  ),
  kernel: tensor(
    [2, 2, 2, 2],
    Array.from({ length: 16 }, (_, at) => at / 7),
  ),
  plain: { n: [1] },
}
/** Mostly what fits, else anything. */
const mostly = <T>(fitting: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fitting }, { weight: 1, arbitrary: other })
const name = fc.constantFrom('x', 'image', 'kernel', 'result_1', 'result_2', 'result_1_0', 'plain', 'nothing')
const size = mostly<JsonValue>(fc.constant(1), fc.integer({ min: -3, max: 3 }))
const named = (...names: string[]) => mostly<JsonValue>(fc.constantFrom(...names), name)
const argument: Record<string, fc.Arbitrary<JsonValue>> = {
  tensor: named('x', 'image', 'result_1'),
  input: named('x', 'image'),
  weight: named('x', 'kernel'),
  bias: fc.constant(null),
  tensors: mostly<JsonValue>(fc.constant(['x', 'x']), fc.array(name, { minLength: 1, maxLength: 3 })),
  dims: mostly<JsonValue>(
    fc.shuffledSubarray([0, 1], { minLength: 2 }),
    fc.shuffledSubarray([0, 1, 2, 3], { minLength: 3 }),
  ),
  split_size_or_sections: mostly<JsonValue>(fc.constantFrom<JsonValue>(1, 2, [1, 1]), size),
}
const argumentsOf: Record<string, Record<string, fc.Arbitrary<JsonValue>>> = {
  conv2d: { input: named('image'), weight: named('kernel') },
  linear: { input: named('x'), weight: named('x') },
}
const calls = tools.map(({ name: tool, parameters }) => {
  const { properties, required } = parameters as { properties: object; required: string[] }
  const values = Object.keys(properties).map(
    (key) => [key, argumentsOf[tool]?.[key] ?? argument[key] ?? size] as const,
  )
  const args = fc.record(Object.fromEntries(values), { requiredKeys: required })
  return fc.record({ tool: fc.constant(tool), args })
})

replayLaw('tensor-operation, called as tools', () => Promise.resolve(createTensorWorld()), {
  initial: {},
  entry: fc.oneof(
    ...calls,
    fc.record({ tool: fc.constantFrom('rm', 'RESULT'), args: fc.record({ out: name }) }),
  ),
  async send(open, { tool, args }, replies) {
    const shown = replies.length === 0 ? await open.take!(variables) : {}
    // What is submitted names tensors, whose elements it gets.
    const reply =
      tool === 'RESULT' ? JSON.stringify(await open.resolve!(args)) : await callTool(open, tool, args)
    return JSON.stringify(shown) + reply
  },
})
