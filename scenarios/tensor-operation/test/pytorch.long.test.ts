/** The equations and the reference evaluation held against PyTorch itself. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { JsonValue } from '@stateeval/contracts'
import { createRng, emit, writeFloat32, createTensor } from '@stateeval/program'
import { compare } from '@stateeval/score'
import { operations } from '../operations/index.ts'
import { openWorld } from '../state.ts'
import { asksForExtreme, programsOf, long, predicted, scenario } from './programs.ts'
import { type PyTorch, startPyTorch, torchVersion } from './pytorch.ts'

const torch = torchVersion()
const there = 'version' in torch
if (!there) console.log(`skipped: ${torch.missing}`)
const onPyTorch = there ? test : test.skip

let pytorch: PyTorch
beforeAll(() => {
  if (there) pytorch = startPyTorch()
})
afterAll(() => pytorch?.close())

const sets = [
  { count: long ? 9_000 : 40, seed: 31 },
  { count: long ? 600 : 2, seed: 32, length: 20 },
  { count: long ? 60 : 1, seed: 33, length: 50, observable: false },
  { count: long ? 600 : 5, seed: 34, length: 2 },
] as const

onPyTorch(
  'no generated program is rejected, and PyTorch gives what the reference evaluation gives',
  async () => {
    let [runs, extremes] = [0, 0]
    for (const options of sets) {
      for (const { program, inputs } of programsOf(options)) {
        const comparison = scenario.compareFor!(program)
        const ran = await pytorch.run(emit(program, 'python') as string, inputs)
        for (const [index, run] of ran.entries()) {
          if ('error' in run) throw new Error(`${run.error}\n${emit(program, 'python')}`)
          const expected = predicted(program, inputs[index]!)
          const compared = compare(expected, { result: run.result, world: expected.world }, comparison)
          if (!compared.equal)
            throw new Error(`${JSON.stringify(compared.differences)}\n${emit(program, 'python')}`)
          runs++
        }
        if (asksForExtreme(program)) extremes += inputs.length
      }
    }
    console.log(`${runs} runs in PyTorch, ${extremes} of them with argmax or argmin in the condition`)
    // Both branches in both worlds.
    expect(extremes).toBeGreaterThanOrEqual(4)
    expect(runs).toBeGreaterThan(sets.reduce((sum, { count }) => sum + count, 0))
  },
)

/** Calls with arguments at random, many of them wrong: both accept the same ones, with the same shapes. */
onPyTorch('PyTorch accepts what the equations accept, and nothing else', async () => {
  const rng = createRng('equations')
  let [accepted, refused] = [0, 0]
  for (let n = 0; n < (long ? 20_000 : 300); n++) {
    const operation = rng.pick(operations)
    const { tensors, args, code } = call(operation.id)
    const transition = operation.apply(openWorld({ elements: 2 ** 20 }), args)
    const [ran] = await pytorch.run(`import torch\nRESULT = {'out': ${code}}`, [
      { variables: tensors, world: {} },
    ])
    const says = transition.ok ? 'accepted' : transition.error.message
    expect([code, shapesIn(tensors), says, 'result' in ran!]).toEqual([
      code,
      shapesIn(tensors),
      says,
      transition.ok,
    ])
    if (!transition.ok) refused++
    else {
      accepted++
      const world = { state: {}, ids: { initial: [], created: [] }, gone: [] }
      const compared = compare(
        { result: { out: transition.output }, world },
        { result: (ran as { result: unknown }).result, world },
        { ...scenario.compare, reduction: 64 },
      )
      expect([code, compared]).toEqual([code, { equal: true }])
    }
  }
  expect(accepted).toBeGreaterThan(refused / 5)
  expect(refused).toBeGreaterThan(accepted / 5)

  function call(api: string): {
    tensors: Record<string, JsonValue>
    args: Record<string, JsonValue>
    code: string
  } {
    const tensor = (shape: number[]) =>
      createTensor(
        'float32',
        shape,
        writeFloat32(Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => rng.int(-9, 9) / 4)),
      )
    const shape = (rank: number) => Array.from({ length: rank }, () => rng.int(1, 4))
    const dim = () => rng.int(-4, 4)
    const x = shape(rng.int(1, 4))
    const tensors: Record<string, JsonValue> = { x: tensor(x) }
    const pythonText = (value: JsonValue): string =>
      typeof value === 'string'
        ? `'${value}'`
        : Array.isArray(value)
          ? `[${value.join(', ')}]`
          : String(value)
    const named = (options: Record<string, JsonValue>) =>
      Object.entries(options)
        .map(([name, value]) => `, ${name}=${name === 'bias' ? 'b' : pythonText(value)}`)
        .join('')
    switch (api) {
      case 'cat': {
        tensors.y = tensor(
          rng.chance(0.7) ? x.with(rng.int(0, x.length - 1), rng.int(1, 4)) : shape(rng.int(1, 4)),
        )
        const at = dim()
        return {
          tensors,
          args: { tensors: [tensors.x!, tensors.y], dim: at },
          code: `torch.cat([x, y], ${at})`,
        }
      }
      case 'split': {
        const by: JsonValue = rng.chance(0.5)
          ? rng.int(-1, 5)
          : Array.from({ length: rng.int(1, 3) }, () => rng.int(rng.chance(0.1) ? -1 : 0, 3))
        const at = dim()
        return {
          tensors,
          args: { tensor: tensors.x!, split_size_or_sections: by, dim: at },
          code: `torch.split(x, ${pythonText(by)}, ${at})`,
        }
      }
      case 'transpose': {
        const [a, b] = [dim(), dim()]
        return {
          tensors,
          args: { input: tensors.x!, dim0: a, dim1: b },
          code: `torch.transpose(x, ${a}, ${b})`,
        }
      }
      case 'permute': {
        const dims = rng.chance(0.6)
          ? rng.shuffle(x.map((_, at) => (rng.chance(0.2) ? at - x.length : at)))
          : x.map(dim).slice(rng.int(0, 1))
        return { tensors, args: { input: tensors.x!, dims }, code: `torch.permute(x, ${pythonText(dims)})` }
      }
      case 'linear': {
        tensors.w = tensor([rng.int(1, 4), rng.chance(0.7) ? x.at(-1)! : rng.int(1, 4)])
        const options: Record<string, JsonValue> = rng.chance(0.4)
          ? {
              bias: tensor([
                rng.chance(0.7)
                  ? (tensors.w as { $tensor: { shape: number[] } }).$tensor.shape[0]!
                  : rng.int(2, 4),
              ]),
            }
          : {}
        if (options.bias) tensors.b = options.bias
        return {
          tensors,
          args: { input: tensors.x!, weight: tensors.w, ...options },
          code: `torch.nn.functional.linear(x, w${named(options)})`,
        }
      }
      default: {
        const [channels, groups] = [rng.int(1, 4), rng.int(1, 2)]
        tensors.x = tensor([
          ...(rng.chance(0.8) ? [rng.int(1, 2)] : []),
          channels,
          rng.int(1, 6),
          rng.int(1, 6),
        ])
        const outChannels = rng.int(1, 4)
        tensors.w = tensor([
          outChannels,
          rng.chance(0.8) ? Math.max(1, Math.floor(channels / groups)) : rng.int(1, 3),
          rng.int(1, 3),
          rng.int(1, 3),
        ])
        const maybe = (name: string, chance: number, value: () => JsonValue): Record<string, JsonValue> =>
          rng.chance(chance) ? { [name]: value() } : {}
        const some = (least: number): JsonValue =>
          rng.chance(0.5) ? rng.int(least, 3) : [rng.int(least, 3), rng.int(least, 3)]
        const options: Record<string, JsonValue> = {
          ...maybe('bias', 0.3, () => tensor([rng.chance(0.8) ? outChannels : rng.int(1, 4)])),
          ...maybe('stride', 0.4, () => some(rng.chance(0.1) ? 0 : 1)),
          ...maybe('padding', 0.5, () => (rng.chance(0.4) ? rng.pick(['same', 'valid', 'full']) : some(0))),
          ...maybe('dilation', 0.3, () => some(1)),
          ...(groups === 1 ? {} : { groups }),
        }
        if (options.bias) tensors.b = options.bias
        return {
          tensors,
          args: { input: tensors.x, weight: tensors.w, ...options },
          code: `torch.nn.functional.conv2d(x, w${named(options)})`,
        }
      }
    }
  }
})
const shapesIn = (tensors: Record<string, JsonValue>) =>
  JSON.stringify(
    Object.entries(tensors).map(([name, value]) => [
      name,
      (value as { $tensor: { shape: number[] } }).$tensor.shape,
    ]),
  )
