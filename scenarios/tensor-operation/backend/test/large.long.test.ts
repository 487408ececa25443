/**
 * Programs whose tensors are too large to travel: drawn from seeds, compared by summaries, in both languages
 * and on every provider.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Language, Observation } from '@stateeval/contracts'
import {
  createRng,
  writeFloat32,
  collectKnownAnswers,
  mutate,
  type Scenario,
  summarize,
} from '@stateeval/program'
import { drawElements, emit, listInputs, resolveTensors } from '@stateeval/program'
import { defaultOptions, generate } from '@stateeval/generate'
import { completeLimits, createSandbox, type LocalSandbox } from '@stateeval/sandbox'
import { judgeInput } from '@stateeval/score'
import { hasSameObservation } from '../../../../benchmarks/stateeval/mutants/agree.ts'
import { makeTensorOperation } from '../../index.ts'
import { createTensorWorld } from '../index.ts'
import { swiftShader, whyNoSwiftShader } from './swiftshader.ts'

const long = process.env['STATEEVAL_LONG'] !== undefined
const never = new AbortController().signal
const elements = 1_100_000
const world = createTensorWorld()
let sandbox: LocalSandbox
beforeAll(async () => {
  sandbox = await createSandbox({ concurrency: 1 })
})
afterAll(async () => {
  await sandbox.close()
  await world.close()
})
const hasPython = () => sandbox.languages.includes('python') && 'torch' in sandbox.versions

const a = { $tensor: { dtype: 'float32', shape: [3, 300, 400], seed: 'tensor.7.9' } }
const observe = async (language: Language, code: string, on = world, bound = elements) => {
  const inputs = [{ variables: { a }, world: { elements: bound } }]
  const limits = completeLimits({ memoryMiB: 600, wallMs: 120_000, cpuSeconds: 120 })
  return (await sandbox.run({ language, code, inputs, world: on, limits }, never))[0]!
}

test('values are drawn and summarized alike in both languages', async () => {
  const code = `
RESULT = {"same": a, "turned": torch.transpose(a, 0, 2), "halves": torch.div(a[0], 0), "mask": a > 0, "part": a[0, :8]}`
  const javascript = `RESULT = { same: a, turned: torch.transpose(a, 0, 2), halves: torch.div(a.select(0, 0), 0), mask: a.gt(0),
    part: a.select(0, 0).narrow(0, 0, 8) }`
  const values = drawElements(a.$tensor.seed, a.$tensor.shape)
  const { ending } = await observe('javascript', javascript)
  expect(ending).toMatchObject({
    status: 'completed',
    result: {
      same: { $tensor: { ...withoutSeed, summary: summarize('float32', writeFloat32(values)) } },
      turned: { $tensor: { shape: [400, 300, 3], summary: {} } },
      halves: {
        $tensor: {
          summary: {
            least: 0,
            most: 0,
            odd: { nan: values.subarray(0, 120_000).filter((one) => one === 0).length },
          },
        },
      },
      mask: { $tensor: { dtype: 'bool' } },
      part: { $tensor: { shape: [8, 400], data: expect.any(String) } },
    },
  })
  if (!hasPython()) return
  const other = await observe('python', code)
  // Sums are made in another order.
  expect(rounded(other)).toEqual(rounded({ ending }))
})
const { seed: _, ...withoutSeed } = a.$tensor
const rounded = ({ ending }: Pick<Observation, 'ending'>) =>
  JSON.parse(
    JSON.stringify(ending, (key, value: unknown) =>
      key !== 'sums'
        ? value
        : [...new Float64Array(new Uint8Array(Buffer.from(String(value), 'base64')).buffer)].map((sum) =>
            sum.toFixed(6).replace('-0.000000', '0.000000'),
          ),
    ),
  ) as unknown

test('values that a program asks for come whole or not at all; what is computed on the way is not kept', async () => {
  const code = `const b = a.mul(2)
    const top = b.max().item()
    let refused = ''
    try { b.tolist() } catch ({ message }) { refused = message }
    RESULT = { top, zeros: torch.zeros([300000]).sum().item(), refused, b: b.sub(a).sub(a), whole: b.select(0, 0).select(0, 0) }`
  const values = drawElements(a.$tensor.seed, a.$tensor.shape)
  expect((await observe('javascript', code)).ending).toMatchObject({
    status: 'completed',
    result: {
      top: 2 * values.reduce((most, one) => Math.max(most, one), 0),
      zeros: 0,
      refused: 'the answer would be longer than 1024 KiB',
      b: { $tensor: { summary: { least: 0, most: 0 } } },
      whole: { $tensor: { shape: [400], data: expect.any(String) } },
    },
  })
})

test('more than the world allows is refused, with the bound', async () => {
  const messageOf = async (code: string, bound?: number) => {
    const { ending } = await observe('javascript', code, world, bound)
    return ending.status === 'threw' ? ending.error.message : 'reason' in ending ? ending.reason : ending
  }
  expect(await messageOf('RESULT = torch.cat([a, a, a, a], 0)')).toBe(
    `DefaultCPUAllocator: can't allocate memory: you tried to allocate ${4 * 4 * 360_000} bytes. Here a tensor may have ${elements} elements.`,
  )
  expect(await messageOf('RESULT = a.unsqueeze(0).expand([4, 3, 300, 400])', 4096)).toContain(
    'Here a tensor may have 1048576 elements.',
  )
  expect(await messageOf('let sum = a\nfor (let n = 0; n < 120; n++) sum = sum.add(a)\nRESULT = sum')).toBe(
    `RESULT cannot be read: the tensors of the graph have more than ${128 * elements} bytes together`,
  )
})

test('a machine without the memory says so, and it is not the program that fails; memory is given back', async () => {
  const narrow = createTensorWorld({ memoryBytes: 2 ** 28 })
  const code = 'let sum = a\nfor (let n = 0; n < 200; n++) sum = sum.add(a)\nRESULT = sum'
  const bound = 10_000_000
  expect((await observe('javascript', code, narrow, bound)).ending).toEqual({
    status: 'infrastructure',
    lacks: 'memory',
    reason: expect.stringMatching(/take 277 MiB, and graphs may take 256 here \(STATEEVAL_TENSOR_MIB\)/),
  })
  await narrow.close()
  expect((await observe('javascript', code, world, bound)).ending.status).toBe('completed')
  // The process that had it has ended.
  expect(world.pids()).toEqual([])
})

const scenario: Scenario = makeTensorOperation({ elements })
const outcomeOf = ({ ending, world: state }: Observation) => ({
  result: ending.status === 'completed' ? ending.result : null,
  world: state!,
})
test('generated programs hold in both languages and on a device, and mutants do not', async () => {
  const device =
    whyNoSwiftShader === undefined && long ? createTensorWorld({ choice: 'webgpu', env: swiftShader }) : null
  let [runs, caught, equivalent, survived] = [0, 0, 0, 0]
  const missed: string[] = []
  const options = { ...defaultOptions, seed: 5, count: long ? 20 : 1 }
  for (const { program, artifacts = {} } of generate(scenario, options)) {
    const inputs = listInputs(program).map((input) => {
      const resolved = resolveTensors(input, (id) => artifacts[id])
      if (!resolved.ok) throw new Error(resolved.says)
      return resolved.value
    })
    const run = async (language: Language, of = program, on = world) => {
      const limits = completeLimits(scenario.limitsFor!(program, language))
      return sandbox.run({ language, code: emit(of, language)!, inputs, world: on, limits }, never)
    }
    const comparison = scenario.compareFor!(program)
    const truths = await run('javascript')
    const others = [
      ...(hasPython() ? await run('python') : []),
      ...(device ? await run('javascript', program, device) : []),
    ]
    for (const [at, other] of others.entries()) {
      runs++
      const truth = truths[at % truths.length]!
      expect([
        judgeInput(outcomeOf(truth), other, comparison),
        hasSameObservation(truth, other, []),
      ]).toMatchObject([{ verdict: 'passed' }, true])
    }
    for (let n = 0; n < (long ? 12 : 3); n++) {
      const mutation = mutate(
        program,
        createRng(`${program.id}/${n}`),
        undefined,
        collectKnownAnswers(program, scenario),
      )!
      const wrong = await run('javascript', mutation.program)
      const judged = wrong.map(
        (one, at) => judgeInput(outcomeOf(truths[at]!), one, comparison).verdict !== 'passed',
      )
      const agreed = wrong.every((one, at) => hasSameObservation(truths[at]!, one, []))
      if (judged.some(Boolean)) caught++
      else if (agreed) equivalent++
      else {
        survived++
        missed.push(`${mutation.operator} ${mutation.site}`)
      }
    }
  }
  await device?.close()
  if (long)
    console.log(`${runs} runs agree; ${caught} caught, ${equivalent} equivalent, ${survived} survived`)
  expect(missed).toEqual([])
  expect(caught).toBeGreaterThan(0)
})

/** The largest there are, once: some minutes and gigabytes. */
;(long ? test.each([10 ** 7, 10 ** 8]) : test.skip.each([10 ** 8]))(
  'a program of %i elements, in both languages',
  async (bound) => {
    const large: Scenario = makeTensorOperation({ elements: bound })
    const [one] = generate(large, { ...defaultOptions, seed: 11, count: 1 })
    const { program, artifacts = {} } = one!
    const resolved = resolveTensors(listInputs(program).slice(0, 1), (id) => artifacts[id])
    if (!resolved.ok) throw new Error(resolved.says)
    const run = async (language: Language) => {
      const limits = completeLimits(large.limitsFor!(program, language))
      const code = emit(program, language)!
      return (await sandbox.run({ language, code, inputs: resolved.value, world, limits }, never))[0]!
    }
    const truth = await run('javascript')
    expect(truth.ending.status).toBe('completed')
    if (!hasPython()) return
    const { verdict } = judgeInput(outcomeOf(truth), await run('python'), large.compareFor!(program))
    expect(verdict).toBe('passed')
  },
)
