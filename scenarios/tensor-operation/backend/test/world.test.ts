import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Language } from '@stateeval/contracts'
import { completeLimits, createSandbox, type LocalSandbox } from '@stateeval/sandbox'
import { encodeBase64 } from '@stateeval/program'
import { createTensorWorld } from '../index.ts'

const never = new AbortController().signal
const tensor = (shape: number[], ...numbers: number[]) => ({
  $tensor: { dtype: 'float32', shape, data: encodeBase64(new Uint8Array(Float32Array.from(numbers).buffer)) },
})
const variables = { a: tensor([2, 2], 1, 2, 3, 4), b: tensor([2, 2], 5, 6, 7, 8), plain: { n: [1] } }
const world = createTensorWorld()
let sandbox: LocalSandbox
beforeAll(async () => {
  sandbox = await createSandbox({ concurrency: 2 })
})
afterAll(async () => {
  await sandbox.close()
  await world.close()
})
const observe = async (
  language: Language,
  code: string,
  level?: 'process-jail',
  inputVariables: Record<string, unknown> = variables,
  initial: unknown = {},
) =>
  (
    await sandbox.run(
      {
        language,
        code,
        inputs: [{ variables: inputVariables, world: initial }],
        world,
        limits: completeLimits({ wallMs: 100_000 }),
        ...(level && { level }),
      },
      never,
    )
  )[0]!
const completed = (result: unknown) => ({ status: 'completed', result })

describe('programs in JavaScript', () => {
  test.each([
    ['require', "const torch = require('torch')"],
    ['import', "import torch from 'torch'"],
    ['import of all', "import * as torch from 'torch'"],
    ['a global', ''],
  ])('torch comes by %s', async (_, head) => {
    const { ending, log } = await observe(
      'javascript',
      `${head}\nconst out = torch.cat([a, b], 1)\nRESULT = { out, shape: out.shape, dtype: out.dtype, n: plain.n }`,
    )
    expect(ending).toEqual(
      completed({
        out: tensor([2, 4], 1, 2, 5, 6, 3, 4, 7, 8),
        shape: [2, 4],
        dtype: 'torch.float32',
        n: [1],
      }),
    )
    expect(log).toEqual([
      expect.objectContaining({
        method: 'CALL',
        path: 'run',
        responseBody: expect.stringMatching(/^\{"operations":\d+\}$/),
      }),
    ])
  })
  test('functional comes by several ways', async () => {
    const code = `import { nn } from 'torch'
      const F = torch.nn.functional, { linear } = require('torch').nn.functional
      RESULT = [nn.functional.linear(a, b), F.linear(a, b), linear(a, b)].map((one) => one.tolist())`
    const product = [
      [17, 23],
      [39, 53],
    ]
    expect((await observe('javascript', code)).ending).toEqual(completed([product, product, product]))
  })
  test('what PyTorch does otherwise than one might think, and what is not here, is never silently wrong', async () => {
    const code = `const t = torch.tensor([-3.5, 3.5, 5.25]), n = torch.tensor([-7, 7])
      const said = (work) => { try { work(); return 'nothing' } catch ({ name, message }) { return name + ': ' + message } }
      RESULT = { fmod: torch.fmod(t, 2).tolist(), whole: n.fmod(4).tolist(), remainder: torch.remainder(t, 2).tolist(),
        to: [t.to('torch.float64').dtype, t.to('int64').dtype, t.to('cpu').dtype].map(String), wrong: said(() => t.to('number')),
        std: [a.std(false), a.std({ correction: 0 }), a.var({ correction: 1 })].map((one) => one.pow(2).mul(16).round().item()),
        same: [n.allclose(n), t.allclose(t.mul(NaN)), t.mul(NaN).allclose(t.mul(NaN), { equal_nan: true })],
        kinds: [new torch.Tensor([1, 2]), torch.Tensor(0, 2), torch.Tensor([t[0], true])].map((one) => [one.dtype, one.shape, one.tolist()]),
        is: a instanceof torch.Tensor, json: JSON.stringify({ n }),
        taken: n.index(torch.tensor([[1, -1], [0, 0]])).tolist(), type: t.dtype === torch.float16,
        set: said(() => { t[0] = 5 }), add: said(() => t.add_(1)) }`
    expect((await observe('javascript', code)).ending).toEqual(
      completed({
        fmod: [-1.5, 1.5, 1.25],
        whole: [-3, 3],
        remainder: [0.5, 1.5, 1.25],
        to: ['torch.float64', 'torch.int64', 'torch.float32'],
        wrong: "TypeError: to(): argument 'dtype' must be torch.dtype, not str",
        std: [20, 20, 44],
        same: [true, false, true],
        taken: [
          [7, 7],
          [-7, -7],
        ],
        type: false,
        kinds: [
          ['torch.float32', [2], [1, 2]],
          ['torch.float32', [0, 2], []],
          ['torch.float32', [2], [-3.5, 1]],
        ],
        is: true,
        json: '{"n":[-7,7]}',
        set: expect.stringMatching(/^TypeError: a tensor’s values cannot be assigned to/),
        add: expect.stringMatching(/^RuntimeError: add_\(\) changes a tensor in place/),
      }),
    )
  })
  test('values asked for in the middle decide, and what they needed isn’t computed twice', async () => {
    const code = `const sum = torch.matmul(a, b).sum()
      const big = sum.item() > 100
      const next = big ? sum.add(1) : sum.sub(1)
      RESULT = { sum: sum.item(), next, list: a.add(b).tolist() }`
    const { ending, log } = await observe('javascript', code)
    expect(ending).toEqual(
      completed({
        sum: 134,
        next: tensor([], 135),
        list: [
          [6, 8],
          [10, 12],
        ],
      }),
    )
    // The product and its sum; the addition of lists; the last addition alone.
    expect(
      log.map(({ responseBody }) => (JSON.parse(responseBody!) as { operations: number }).operations),
    ).toEqual([2, 1, 1])
  })
  test('an error tells its line, as PyTorch says it', async () => {
    const { ending } = await observe(
      'javascript',
      'const c = torch.transpose(a, 0, 1)\n\ntorch.cat([c, torch.zeros(3, 3)])',
    )
    expect(ending).toEqual({
      status: 'threw',
      error: expect.objectContaining({
        name: 'RuntimeError',
        message:
          'Sizes of tensors must match except in dimension 0. Expected size 2 but got size 3 for tensor number 1 in the list.',
        line: 3,
      }),
    })
  })
  test('NaN and infinities are told in tensors', async () => {
    const code =
      'RESULT = torch.cat([torch.div(a.sub(a), torch.zeros(2, 2))[0], a.div(torch.zeros(2, 2))[0], a.div(-0.5).exp().log().div(0)[1]])'
    const { ending } = await observe('javascript', code)
    expect(ending).toEqual(completed({ $tensor: { dtype: 'float32', shape: [6], data: expect.any(String) } }))
    const { data } = (ending as { result: { $tensor: { data: string } } }).result.$tensor
    expect([...new Float32Array(Uint8Array.from(Buffer.from(data, 'base64')).buffer)]).toEqual([
      NaN,
      NaN,
      Infinity,
      Infinity,
      -Infinity,
      -Infinity,
    ])
  })
  test('tensors that are none are refused where they come in', async () => {
    const bad = async (value: unknown) =>
      (await observe('javascript', 'RESULT = 1', undefined, { a: value })).ending
    expect(await bad({ $tensor: { dtype: 'float16', shape: [1], data: 'AAA=' } })).toMatchObject({
      status: 'threw',
      error: { message: expect.stringMatching(/torch\.float16 is not supported/) },
    })
    expect(await bad({ $tensor: { dtype: 'float32', shape: [3], data: 'AAAA' } })).toMatchObject({
      status: 'threw',
      error: { message: expect.stringMatching(/has 12 bytes, its data 3/) },
    })
  })
  test('a graph that the code forges is an error, and harms nobody', async () => {
    const forged = (graph: unknown) => {
      const text = `\u00011 ${JSON.stringify(['run', graph])}`
      return `const body = Buffer.from(${JSON.stringify(text)}); const head = Buffer.alloc(4); head.writeUInt32BE(body.length)
        const fs = require('fs'); fs.writeSync(4, Buffer.concat([head, body]))
        await new Promise((go) => setTimeout(go, 200)); RESULT = 'still here'`
    }
    const graphs = [
      { nodes: [{ op: 'neg', in: [0] }], outputs: [0], keep: [] },
      { nodes: [{ op: 'leaf', dtype: 'float32', shape: [1e9], data: '' }], outputs: [0], keep: [] },
    ]
    for (const graph of graphs) {
      expect((await observe('javascript', forged(graph), 'process-jail')).ending).toEqual(
        completed('still here'),
      )
      expect((await observe('javascript', 'RESULT = a.sum().item()')).ending).toEqual(completed(10))
    }
  })
  test('a division by zero that torch was not asked for is an error of the code', async () => {
    const code = `const t = torch.tensor([4, 6]), halves = t.div(torch.tensor([2, 2]), { rounding_mode: 'trunc' })
      halves.node.inputs = [t.node, torch.tensor([2, 0]).node]
      try { halves.tolist() } catch ({ name, message }) { RESULT = [name, message, t.sum().item()] }`
    expect((await observe('javascript', code)).ending).toEqual(
      completed(['RuntimeError', 'ZeroDivisionError', 10]),
    )
  })
  test('a wrong initial world is refused with words', async () => {
    expect(
      (await observe('javascript', 'RESULT = 1', undefined, variables, { elements: 'many' })).ending,
    ).toMatchObject({
      status: 'infrastructure',
      reason: expect.stringMatching(/world\.elements/),
    })
  })
})

test('programs in Python have PyTorch itself, or hear what to install', async () => {
  const code = `import torch
import torch.nn.functional as F
out = torch.cat([a, b], dim=1)
RESULT = {"out": out, "shape": out.shape, "dtype": out.dtype, "turned": out.t()[0], "linear": F.linear(a, b).tolist(), "n": plain["n"], "nan": torch.tensor([float("inf")]) * 0}`
  const { ending } = await observe('python', code)
  if (!('torch' in sandbox.versions)) {
    console.log('PyTorch is not installed: only that this is said was tested')
    expect(sandbox.missing(world)['python']).toMatch(/has no torch\. Install it/)
    expect(ending).toMatchObject({
      status: 'infrastructure',
      reason: expect.stringMatching(/tensor-operation: .* has no torch/),
    })
    return
  }
  expect(sandbox.missing(world)).toEqual({})
  expect(ending).toEqual(
    completed({
      out: tensor([2, 4], 1, 2, 5, 6, 3, 4, 7, 8),
      shape: [2, 4],
      dtype: 'torch.float32',
      turned: tensor([2], 1, 3),
      linear: [
        [17, 23],
        [39, 53],
      ],
      n: [1],
      nan: { $tensor: { dtype: 'float32', shape: [1], data: expect.stringMatching(/^AADA[\/f]|^AADAfw==/) } },
    }),
  )
})
