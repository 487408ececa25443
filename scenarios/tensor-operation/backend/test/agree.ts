/**
 * Whether a program gave in PyTorch what it gave here: shapes, types, contiguity, errors and values of every
 * step.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { decodeNumbers } from '../torch/base64.ts'
import { gather, type GraphNode } from '../torch/graph.ts'
import { product } from '../torch/strides.ts'
import { Tensor } from '../torch/tensor.ts'
import { encodeBase64 } from '@stateeval/program'
import { checkGraph } from '../graph/check.ts'
import type { ProviderOperations, GraphProvider } from '../graph/provider.ts'
import type { GraphRuntime } from '../graph/sessions.ts'
import { isContiguous } from '../torch/strides.ts'
import type { Program } from './programs.ts'

interface ToldTensor {
  dtype: string
  shape: number[]
  contiguous: boolean
  values: string[]
}
type Told = ToldTensor | Told[] | number
export type ToldStep = { value: Told } | { error: [name: string, message: string] }

/** What PyTorch gives for each step of each program, from one process. */
export async function inPytorch(python: string, programs: readonly Program[]): Promise<ToldStep[][]> {
  const wire = programs.map(({ inputs, steps }) => ({
    inputs: inputs.map(({ node }) => ({ dtype: node.dtype.name, shape: node.shape, data: node.data })),
    steps: steps.map(({ name, python }) => [name, python]),
  }))
  const child = spawn(python, ['-W', 'ignore', join(import.meta.dirname, 'batch.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: '/usr/bin:/bin', OMP_NUM_THREADS: '1' },
  })
  child.stdin.end(JSON.stringify(wire))
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as ToldStep[][]
}

/** Computes all tensors of a program in one graph, as a run computes those of RESULT; gives where. */
export async function compute(
  runtime: Pick<GraphRuntime, 'run'>,
  { steps }: Program,
  provider?: GraphProvider,
): Promise<ProviderOperations> {
  const nodes: GraphNode[] = []
  const collect = (value: unknown) => {
    if (value instanceof Tensor) nodes.push(value.node)
    if (Array.isArray(value)) value.forEach(collect)
  }
  steps.forEach(({ value }) => collect(value))
  const { graph, outputs } = gather(nodes)
  const checked = checkGraph(graph, new Map())
  const { values, operations } = await runtime.run(checked, checked.outputs, provider)
  outputs.forEach((node, at) => {
    const output = values.get(checked.outputs[at]!)!
    if (output.shape.join() !== node.shape.join() || output.dtype !== node.dtype.name)
      throw new Error(
        `the host found ${output.dtype} [${output.shape.join()}] for ${node.dtype.name} [${node.shape.join()}]`,
      )
    node.data = encodeBase64(output.bytes)
  })
  return operations
}

/** The differences, each a sentence. */
export function differences(program: Program, recording: readonly ToldStep[]): string[] {
  return program.steps.flatMap(({ python, value, error }, at) => {
    const other = recording[at]!
    if (error)
      return 'error' in other
        ? sameError(error, other.error)
          ? []
          : [`${python}: ${error.join(': ')} | PyTorch: ${other.error.join(': ')}`]
        : [`${python}: ${error.join(': ')} | PyTorch gives ${JSON.stringify(other.value).slice(0, 150)}`]
    if ('error' in other) return [`${python}: a value | PyTorch: ${other.error.join(': ')}`]
    return difference(value, other.value).map((text) => `${python}: ${text}`)
  })
}
/** Which of two wrong types is told first depends on how PyTorch has arranged a product. */
const ofTypes = /^expected scalar type|^result type|not implemented for '/
/**
 * Of calls that fit none of several signatures PyTorch lists them all; ours tell what was given, or what is
 * wrong with the nearest.
 */
const ofSignatures = /^\w+\(\) received an invalid combination of arguments/
const sameError = (ours: [string, string], theirs: [string, string]) =>
  ours[0] === theirs[0] &&
  (ours[1] === theirs[1] ||
    (ofTypes.test(ours[1]) && ofTypes.test(theirs[1])) ||
    ofSignatures.test(theirs[1]))

function difference(value: unknown, record: Told): string[] {
  if (Array.isArray(value)) {
    if (!Array.isArray(record) || record.length !== value.length)
      return [`${value.length} parts | PyTorch: ${JSON.stringify(record).slice(0, 200)}`]
    return value.flatMap((one, at) => difference(one, record[at]!))
  }
  if (!(value instanceof Tensor))
    return value === record ? [] : [`${String(value)} | PyTorch: ${JSON.stringify(record)}`]
  const { dtype, shape, contiguous, values } = record as ToldTensor
  const ownForm = `${value.dtype.name} [${value.shape.join()}]`
  if (ownForm !== `${dtype} [${shape.join()}]`) return [`${ownForm} | PyTorch: ${dtype} [${shape.join()}]`]
  if (isContiguous(value.node.shape, value.strides) !== contiguous)
    return [
      `${contiguous ? 'not ' : ''}contiguous (strides ${value.strides.join()} of ${value.shape.join()}), other than PyTorch`,
    ]
  const numbers = decodeNumbers(value.node.data!, value.dtype.name, product(shape)).map(Number)
  const expected = values.map((text) =>
    text === 'inf' ? Infinity : text === '-inf' ? -Infinity : text === 'nan' ? NaN : Number(text),
  )
  const largest = Math.max(1, ...expected.filter(Number.isFinite).map(Math.abs))
  const tolerance = dtype === 'float32' ? 2e-5 * largest : dtype === 'float64' ? 1e-6 * largest : 0
  const wrong = numbers.findIndex(
    (one, at) =>
      !(Object.is(one, expected[at]) || one === expected[at] || Math.abs(one - expected[at]!) <= tolerance),
  )
  return wrong < 0 ? [] : [`${numbers[wrong]} at ${wrong} | PyTorch: ${expected[wrong]}`]
}
