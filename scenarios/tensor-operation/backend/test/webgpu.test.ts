/** The same programs on a GPU's code path and on the CPU give the same. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createRng } from '@stateeval/program'
import type { ProviderOperations, GraphProvider } from '../graph/provider.ts'
import { createRemoteRuntime, type RemoteRuntime } from '../graph/remote.ts'
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
  name: string
  /** The step in Python, which names what it takes. */
  python: string
  says: string
  dtype: string
  numbers: number[]
}

async function valuesOn(
  provider: GraphProvider,
  make: () => Program,
): Promise<{ outputs: Told[]; operations: ProviderOperations }> {
  const program = make()
  const operations = await compute(runtime, program, provider)
  const outputs: Told[] = []
  const collect = (step: Pick<Told, 'name' | 'python'>, value: unknown) => {
    if (Array.isArray(value)) value.forEach((one) => collect(step, one))
    if (!(value instanceof Tensor)) return
    const { name } = value.dtype
    const numbers = decodeNumbers(value.node.data!, name, product(value.node.shape)).map(Number)
    const says = `${step.name} = ${step.python}: ${name} [${value.shape.join()}]`
    outputs.push({ ...step, says, dtype: name, numbers })
  }
  for (const { name, python, value } of program.steps) collect({ name, python }, value)
  return { outputs, operations }
}

const unit: Readonly<Record<string, number>> = { float32: 2 ** -24, float64: 2 ** -53 }
/** As scores are judged: 16 units times the terms that are added up, 64 at least, of the largest element. */
const room = ({ dtype, numbers }: Told) =>
  16 * 64 * (unit[dtype] ?? 0) * Math.max(0, ...numbers.filter(Number.isFinite).map(Math.abs))

function apart(expected: Told, actual: Told): string[] {
  const allowed = room(expected)
  const at = expected.numbers.findIndex((number, place) => {
    const other = actual.numbers[place]!
    return !(
      number === other ||
      (Number.isNaN(number) && Number.isNaN(other)) ||
      Math.abs(number - other) <= allowed
    )
  })
  return at < 0
    ? []
    : [`${expected.says}: ${actual.numbers[at]} at ${at}, on the CPU ${expected.numbers[at]}`]
}

const onDevice = whyNoSwiftShader === undefined ? test : test.skip

/** Where these jump, a last bit of what they are given decides. */
const stepFunctions =
  /\b(sign|floor|ceil|round|trunc|frac|fmod|remainder|eq|ne|lt|le|gt|ge|argmax|argmin|max|min|any|all|where|int|long|bool|to|type|floor_divide|sort|topk|relu)\b/

/** Differences that a program of its rounding can't be blamed for; `jumps` counts the others. */
function faults(expected: readonly Told[], actual: readonly Told[], jumps: string[]): string[] {
  /** Values that are not the CPU's to the last bit, or that depend on where such a value fell. */
  const [rounded, unsteady] = [new Set<string>(), new Set<string>()]
  return expected.flatMap((one, at) => {
    const other = actual[at]!
    const takes = one.python.match(/\b[vr]\d+\b/g) ?? []
    if (
      takes.some((name) => unsteady.has(name)) ||
      (stepFunctions.test(one.python) && takes.some((name) => rounded.has(name)))
    )
      unsteady.add(one.name)
    if (one.numbers.some((number, place) => !Object.is(number + 0, other.numbers[place]! + 0)))
      rounded.add(one.name)
    const differences = apart(one, other)
    if (!unsteady.has(one.name)) return differences
    jumps.push(...differences)
    return []
  })
}

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
    const [mismatches, jumps]: [string[], string[]] = [[], []]
    let whole = 0
    const computed = { webgpu: 0, cpu: 0 }
    for (const [at, make] of makers.entries()) {
      const { outputs: expected } = await valuesOn('cpu', make)
      const { outputs: values, operations } = await valuesOn('webgpu', make)
      if (operations.webgpu === undefined) whole++
      for (const provider of ['webgpu', 'cpu'] as const) computed[provider] += operations[provider] ?? 0
      mismatches.push(...faults(expected, values, jumps).map((text) => `program ${at}: ${text}`))
    }
    expect(mismatches).toEqual([])
    expect(jumps.length).toBeLessThanOrEqual(count / 200)
    // Most programs have operations that the device computes.
    expect(whole).toBeLessThan(count / 2)
    expect(computed.webgpu).toBeGreaterThan(count)
  },
)
