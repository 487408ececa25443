import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createRng } from '@stateeval/program'
import { createRuntime, type GraphRuntime } from '../graph/sessions.ts'
import { compute, differences, inPytorch, type ToldStep } from './agree.ts'
import { calls } from './calls.ts'
import { divisions } from './divisions.ts'
import { type Program, randomProgram } from './programs.ts'

const python = process.env['STATEEVAL_PYTHON'] ?? '/usr/bin/python3'
const hasTorch = (() => {
  try {
    execFileSync(python, ['-c', 'import torch'], {
      stdio: 'ignore',
      timeout: 60_000,
      env: { PATH: '/usr/bin:/bin' },
    })
    return true
  } catch {
    return false
  }
})()
if (!hasTorch)
  console.log(
    `${python} has no torch: programs are compared with what PyTorch 1.13 was recorded to give, not with PyTorch itself`,
  )

const programs = (seed: string, count: number) =>
  Array.from({ length: count }, (_, at) => randomProgram(createRng(`${seed}/${at}`), 12))

let runtime: GraphRuntime
beforeAll(() => {
  runtime = createRuntime()
})
afterAll(() => runtime.close())

async function compared(all: readonly Program[], recordings: readonly ToldStep[][]) {
  const mismatches: string[] = []
  for (const [at, program] of all.entries()) {
    await compute(runtime, program)
    mismatches.push(...differences(program, recordings[at]!).map((text) => `program ${at}: ${text}`))
  }
  return mismatches
}

/** Recorded by `node test/record.ts`. */
test('programs give what PyTorch was recorded to give: shapes, types, contiguity, errors, values', async () => {
  const recordings = JSON.parse(
    readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
  ) as ToldStep[][]
  expect(await compared(programs('recorded', recordings.length), recordings)).toEqual([])
})

const count = process.env['STATEEVAL_LONG'] === '1' ? 5000 : 300
;(hasTorch ? test : test.skip)(
  `${count} programs, calls in every form, and what is left of divisions of all types and signs, are the same in ONNX Runtime and in PyTorch`,
  async () => {
    const all = [calls(), divisions(), ...programs('property', count)]
    expect(await compared(all, await inPytorch(python, all))).toEqual([])
    const steps = all.flatMap(({ steps }) => steps)
    // Most are computed; a good part is refused, with the same words.
    expect(steps.filter(({ error }) => error).length / steps.length).toBeGreaterThan(0.05)
    expect(steps.filter(({ error }) => !error).length / steps.length).toBeGreaterThan(0.75)
  },
)
