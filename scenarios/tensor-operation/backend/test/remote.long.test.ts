/** ONNX Runtime’s own process: what ends it ends one run at most, which is repeated; the next one works. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { encodeBase64 } from '@stateeval/program'
import {
  completeLimits,
  createSandbox,
  LackOfMemory,
  type LocalSandbox,
  type SandboxWorld,
} from '@stateeval/sandbox'
import { computeGraphBounds, checkGraph } from '../graph/check.ts'
import { createRemoteRuntime, type RemoteRuntime } from '../graph/remote.ts'
import { createTensorWorld } from '../index.ts'

const data = encodeBase64(new Uint8Array(Float32Array.from([1, 2]).buffer))
const leaf = { op: 'leaf', dtype: 'float32', shape: [2], data }
const graph = checkGraph({ nodes: [leaf, { op: 'neg', in: [0] }], outputs: [1], keep: [] }, new Map())
const numbers = ({ bytes }: { bytes: Uint8Array }) => [...new Float32Array(Uint8Array.from(bytes).buffer)]

let runtime: RemoteRuntime
beforeAll(async () => {
  runtime = await createRemoteRuntime({ maxWorkers: 1 })
})
afterAll(() => runtime.close())

test('a process that ends over a graph fails that graph; those behind it and after it get another one', async () => {
  const negated = async () => numbers((await runtime.run(graph, graph.outputs)).values.get(1)!)
  expect(await negated()).toEqual([-1, -2])
  const [pid] = runtime.pids() as [number]
  // It is stopped, so that the graph is certainly in its hands when it ends.
  process.kill(pid, 'SIGSTOP')
  const [lost, behind] = [negated(), negated()]
  lost.catch(() => {})
  setTimeout(() => process.kill(pid, 'SIGKILL'), 50)
  // As the kernel ends it where memory is used up.
  await expect(lost).rejects.toThrow(LackOfMemory)
  await expect(lost).rejects.toThrow('the process of ONNX Runtime ended (SIGKILL)')
  expect(await behind).toEqual([-1, -2])
  expect(runtime.pids()).toHaveLength(1)
  expect(runtime.pids()).not.toContain(pid)
  // Between two graphs, nobody notices.
  const idle = runtime.pids()[0]!
  process.kill(idle, 'SIGKILL')
  while (runtime.pids().includes(idle)) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(await negated()).toEqual([-1, -2])
  expect(runtime.counts()).toEqual({ cpu: { graphs: 3, created: 3, reused: 0 } })
})

test('a graph whose run has ended ends with its process, also before its turn; others are computed', async () => {
  const own = await createRemoteRuntime({ maxWorkers: 1 })
  await own.run(graph, graph.outputs)
  const [pid] = own.pids() as [number]
  // It is stopped, so that the graph is certainly in its hands.
  process.kill(pid, 'SIGSTOP')
  const run = new AbortController()
  const left = [1, 2].map(() => own.run(graph, graph.outputs, 'cpu', [], run.signal))
  const behind = own.run(graph, graph.outputs)
  await new Promise(setImmediate)
  run.abort(new Error('the run has ended'))
  for (const one of left) await expect(one).rejects.toThrow()
  expect(numbers((await behind).values.get(1)!)).toEqual([-1, -2])
  expect(own.pids()).not.toContain(pid)
  await expect(own.run(graph, graph.outputs, 'cpu', [], run.signal)).rejects.toThrow('has ended')
  await own.close()
})

test('a process that gets no more memory says so, as a want of memory; the next one computes', async () => {
  const own = await createRemoteRuntime({ maxWorkers: 1 })
  await own.run(graph, graph.outputs)
  const [pid] = own.pids() as [number]
  const size = /VmSize:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]
  execFileSync('prlimit', ['--pid', String(pid), `--as=${(Number(size) + 16_384) * 1024}`])
  const nodes = [leaf, { op: 'expand', in: [0], shape: [2 ** 24, 2] }]
  const large = checkGraph({ nodes, outputs: [1], keep: [] }, new Map(), computeGraphBounds(40_000_000))
  const refusal = await own.run(large, large.outputs).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(LackOfMemory)
  expect((refusal as Error).message).toMatch(/^cpu is out of memory: .*bad_alloc/)
  expect(numbers((await own.run(graph, graph.outputs)).values.get(1)!)).toEqual([-1, -2])
  expect(own.pids()).not.toContain(pid)
  await own.close()
})

test('the run of that graph is our failure, and repeated; the next one works', async () => {
  const tensors = createTensorWorld()
  const sandbox: LocalSandbox = await createSandbox({ concurrency: 1 })
  let opened = 0
  let kill = () => {}
  /** The world, told when a call has come in. */
  const world: SandboxWorld = {
    ...tensors,
    async open(initial, limits, seed) {
      opened++
      const open = await tensors.open(initial, limits, seed)
      const { channel } = open
      if (channel.kind !== 'calls') throw new Error('calls are the channel of tensors')
      const handle: typeof channel.handle = (name, args) => {
        setTimeout(kill, 50)
        return channel.handle(name, args)
      }
      return { ...open, channel: { ...channel, handle } }
    },
  }
  const run = async () => {
    const inputs = [{ variables: { a: { $tensor: { dtype: 'float32', shape: [2], data } } }, world: {} }]
    const program = {
      language: 'javascript' as const,
      code: 'RESULT = a.neg().tolist()',
      inputs,
      world,
      limits: completeLimits({ wallMs: 100_000 }),
    }
    return (await sandbox.run(program, new AbortController().signal))[0]!
  }
  const right = { status: 'completed', result: [-1, -2] }
  expect((await run()).ending).toEqual(right)
  expect(opened).toBe(1)

  const [pid] = tensors.pids() as [number]
  process.kill(pid, 'SIGSTOP')
  kill = () => {
    kill = () => {}
    process.kill(pid, 'SIGKILL')
  }
  expect((await run()).ending).toEqual(right)
  expect(opened).toBe(3)
  expect((await run()).ending).toEqual(right)
  expect(opened).toBe(4)
  await sandbox.close()
  await tensors.close()
})
