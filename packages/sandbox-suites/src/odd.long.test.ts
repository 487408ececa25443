/**
 * Programs that are odd but harm nobody: who comes after one finds a warm runner, and none of them is a
 * runner's end for what it says.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ExecutionInput, Observation, SandboxLevel } from '@stateeval/contracts'
import { completeLimits, createLocalSandbox, type LocalSandbox, silent } from '@stateeval/sandbox'
import { ordinaryPrograms } from './programs.ts'
import { createSuiteWorld } from './world.ts'

const turns = 3
const world = createSuiteWorld()
const cells: number[] = []
const telemetry = {
  ...silent,
  phase: (phase: string, _: string, ms: number) => void (phase === 'cell' && cells.push(ms)),
}
let sandbox: LocalSandbox
beforeAll(async () => {
  sandbox = await createLocalSandbox({ telemetry })
})
afterAll(() => sandbox.close())

const nothing: ExecutionInput[] = [{ variables: {}, world: {} }]
const run = async (code: string, inputs = nothing, level?: SandboxLevel): Promise<Observation> =>
  (
    await sandbox.run(
      {
        language: 'javascript',
        code,
        inputs,
        world,
        limits: completeLimits({ wallMs: 100_000 }),
        ...(level && { level }),
      },
      new AbortController().signal,
    )
  )[0]!

/** All of them in a long run, else one in three. */
const long = process.env.STATEEVAL_LONG === '1'
const odd = ordinaryPrograms()
  .filter(({ name }) => name.startsWith('odd:'))
  .filter((_, n) => long || n % 3 === 0)
/** Until the spare runner is there again. */
const settled = (turn: number) => new Promise((resolve) => setTimeout(resolve, turn * 1500))

test('are enough', () => expect(odd.length).toBeGreaterThanOrEqual(long ? 40 : 15))

test('nobody waits for a new runner after one of them', async () => {
  await run('RESULT = 1')
  const slow: string[] = []
  for (const { name, code, inputs } of odd) {
    // Once is enough: a machine that is busy with others keeps anybody waiting.
    let hasWaited = true
    for (let turn = 0; turn < turns && hasWaited; turn++) {
      await settled(turn)
      await run(code, inputs)
      const { ending } = await run('RESULT = 2')
      expect(ending).toEqual({ status: 'completed', result: 2 })
      const tookMs = cells.at(-1)!
      await run('RESULT = 3', nothing, 'process-jail')
      const startMs = cells.at(-1)!
      hasWaited = tookMs > startMs / 2
    }
    if (hasWaited) slow.push(name)
  }
  expect(slow).toEqual([])
})

test('what a program says is never what ends its runner', async () => {
  for (const way of [
    'process[name]',
    'console[name]',
    'process[Symbol(name)]',
    "require('node:' + name)",
    'performance[name]',
    'URL[name]',
  ])
    expect([
      way,
      (await run(`const name = 'x'.repeat(8e6); try { ${way}; RESULT = 1 } catch { RESULT = 1 }`)).ending,
    ]).toEqual([way, { status: 'completed', result: 1 }])
  expect(sandbox.bails()).toEqual({})
})
