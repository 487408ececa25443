/** The examples that models read do in the sandbox what their comments say, in both languages. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Language } from '@stateeval/contracts'
import { encodeBase64 } from '@stateeval/program'
import { completeLimits, createSandbox, type LocalSandbox } from '@stateeval/sandbox'
import { createTensorWorld } from '../backend/index.ts'
import { documentations } from '../documentation/index.ts'
import type { TensorApi } from '../documentation/text.ts'

const world = createTensorWorld()
let sandbox: LocalSandbox
beforeAll(async () => {
  sandbox = await createSandbox({ concurrency: 1 })
})
afterAll(async () => {
  await sandbox.close()
  await world.close()
})

type Shapes = Record<string, number[]>
/**
 * Of what an example is given, as its comments say; where they say several things of a name, each by itself.
 */
const inputShapes: Record<TensorApi, Shapes> = {
  cat: { a: [2, 5], b: [2, 5], c: [2, 5] },
  split: { x: [3, 4] },
  transpose: { x: [4, 5, 6] },
  permute: { x: [4, 5, 6] },
  linear: { x: [7, 3], weight: [2, 3], bias: [2] },
  conv2d: { x: [1, 3, 8, 8], weight: [4, 3, 3, 3], bias: [4] },
}
const resultShapes: Record<TensorApi, Record<string, number[] | number[][]>> = {
  cat: { rows: [6, 5], wide: [2, 10] },
  split: {
    halves: [
      [3, 2],
      [3, 2],
    ],
    parts: [
      [3, 1],
      [3, 3],
    ],
    last: [3, 3],
  },
  transpose: { t: [6, 5, 4] },
  permute: { t: [6, 4, 5] },
  linear: { y: [7, 2], z: [7, 2] },
  conv2d: { y: [1, 4, 4, 4], z: [1, 4, 8, 8] },
}
const tensor = (shape: number[]) => {
  const numbers = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => (at % 5) - 2)
  return { $tensor: { dtype: 'float32', shape, data: encodeBase64(new Uint8Array(numbers.buffer)) } }
}
const shapes: Record<Language, (names: string[]) => string> = {
  javascript: (names) =>
    `const told = (value) => (Array.isArray(value) ? value.map(told) : value.shape)\nRESULT = { ${names.map((name) => `${name}: told(${name})`).join(', ')} }`,
  python: (names) =>
    `told = lambda value: [told(one) for one in value] if isinstance(value, tuple) else list(value.shape)\nRESULT = {${names.map((name) => `"${name}": told(${name})`).join(', ')}}`,
}

describe.each<Language>(['javascript', 'python'])('in %s', (language) => {
  test.each(Object.keys(inputShapes) as TensorApi[])('%s', async (api) => {
    const missing = sandbox.missing(world)[language] ?? sandbox.unavailable[language]
    if (missing !== undefined) return console.log(`${language} is skipped: ${missing}`)
    const part = documentations[language].parts.apis[api]
    const example = part.split('```')[1]!.replace(/^\w+\n/, '')
    // Every shape that a comment tells is one of those held here.
    const shapeTexts = JSON.stringify([inputShapes[api], resultShapes[api]])
    const comments = example.split('\n').flatMap((line) => line.split(/#|\/\//).slice(1))
    const commentShapes = comments.flatMap(
      (comment) => comment.match(/(?<=shape |weight )\[\d+(, \d+)+\]/g) ?? [],
    )
    expect(commentShapes.length).toBeGreaterThan(1)
    for (const shape of commentShapes) expect(shapeTexts).toContain(shape.replaceAll(' ', ''))
    const head = language === 'python' ? 'import torch\n' : "const torch = require('torch')\n"
    const [{ ending } = { ending: undefined }] = await sandbox.run(
      {
        language,
        code: `${head}${example}\n${shapes[language](Object.keys(resultShapes[api]))}`,
        inputs: [
          {
            variables: Object.fromEntries(
              Object.entries(inputShapes[api]).map(([name, shape]) => [name, tensor(shape)]),
            ),
            world: {},
          },
        ],
        world,
        limits: completeLimits({ wallMs: 100_000 }),
      },
      new AbortController().signal,
    )
    expect(ending).toEqual({ status: 'completed', result: resultShapes[api] })
  })
})
