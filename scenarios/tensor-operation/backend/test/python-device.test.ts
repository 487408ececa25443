/** PyTorch’s device in the jail, and what a process that forks must never have done. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { completeLimits, createSandbox, type LocalSandbox } from '@stateeval/sandbox'
import { createTensorWorld } from '../index.ts'

const world = createTensorWorld()
let sandbox: LocalSandbox
beforeAll(async () => {
  sandbox = await createSandbox({ concurrency: 1 })
})
afterAll(async () => {
  await sandbox?.close()
  await world.close()
})

const run = async (code: string) => {
  const inputs = [{ variables: {}, world: {} }]
  const program = {
    language: 'python' as const,
    code,
    inputs,
    world,
    limits: completeLimits({ wallMs: 100_000 }),
  }
  return (await sandbox.run(program, new AbortController().signal))[0]!
}

test('the process that forks has not initialised CUDA: its children could not use it', async () => {
  const lacks = sandbox.missing(world).python ?? sandbox.unavailable.python
  if (lacks !== undefined) return console.warn(`not tested: ${lacks}`)
  // A child has what its parent had: it was forked a moment ago, and nothing of PyTorch but tensors on the
  // CPU has run.
  const state = `
import os, torch
nodes = sorted(name for name in os.listdir("/dev") if name.startswith(("nvidia", "dri", "kfd")))
RESULT = [torch.cuda.is_initialized(), torch.cuda._is_in_bad_fork(), torch.ones(1).device.type, nodes]`
  for (let round = 0; round < 2; round++)
    expect(await run(state)).toMatchObject({
      ending: { status: 'completed', result: [false, false, 'cpu', []] },
      tensors: { provider: 'cpu', operations: {} },
    })
})

test('a program can’t say that another device computed its tensors', async () => {
  const lacks = sandbox.missing(world).python ?? sandbox.unavailable.python
  if (lacks !== undefined) return console.warn(`not tested: ${lacks}`)
  const forged = `
import gc
for one in gc.get_objects():
    if type(one).__name__ == "Host":
        one.call("device", "cuda")
RESULT = 1`
  expect(await run(forged)).toMatchObject({
    ending: { status: 'completed' },
    tensors: { provider: 'cpu', operations: {} },
  })
})

test('who names CUDA asks for a PyTorch with CUDA; where there is none, Python says so and JavaScript goes on', async () => {
  const named = createTensorWorld({ choice: 'cuda' })
  const lacks = sandbox.missing(named).python ?? sandbox.unavailable.python
  if (sandbox.versions['torch.cuda'] !== undefined) expect(lacks).toBeUndefined()
  else if (sandbox.versions['torch'] !== undefined) expect(lacks).toMatch(/was built without CUDA/)
  expect(sandbox.missing(named.tensors.on('cpu')).python).toBe(sandbox.missing(world).python)
  await named.close()
})
