/**
 * Where tensors are computed fastest: graphs of rising size on each provider of this machine and in PyTorch,
 * which computes eagerly, and whole programs in warm jails, all in one run. Options: --largest N, the longest
 * side of a matrix (256; a Vulkan driver without a GPU behind it takes seconds for more, and 1024 is the
 * most); --rounds N (5); --provider NAME: what is tried (auto).
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import type { Provider } from '../scenarios/tensor-operation/backend/graph/provider.ts'
import { createRemoteRuntime } from '../scenarios/tensor-operation/backend/graph/remote.ts'
import type { Bench, BenchPart } from './result.ts'
import { graphOf, type Kind, kinds } from './tensor/graphs.ts'
import { timePrograms } from './tensor/programs.ts'

const sides = [16, 64, 256, 512, 1024]

export async function run(options: string[]): Promise<Bench> {
  const option = (name: string) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined)
  const [largest, rounds] = [Number(option('--largest') ?? 256), Number(option('--rounds') ?? 5)]
  const choice = (option('--provider') ?? 'auto') as Provider | 'auto'
  const used = sides.filter((side) => side <= largest)
  const eager = await inPytorch(used, rounds)
  const runtime = await createRemoteRuntime({ maxWorkers: 1, choice })
  const providers = runtime.providers()
  const available = providers.flatMap((one) => (one.available ? [one.provider] : []))
  const parts: BenchPart[] = []
  try {
    for (const kind of kinds)
      for (const side of used)
        for (const provider of available) {
          const ms: number[] = []
          for (let round = 0; round <= rounds; round++) {
            const start = performance.now()
            const graph = graphOf(kind, side)
            await runtime.run(graph, graph.outputs, provider)
            // The first one makes the session.
            if (round > 0) ms.push(performance.now() - start)
          }
          parts.push(part(`${kind}, ${side}×${side}, ${provider}`, ms, eager?.best(kind, side)))
        }
  } finally {
    await runtime.close()
  }
  const programs = await timePrograms(
    choice,
    available,
    used.filter((side) => side <= 256),
    rounds,
  )
  for (const { way, side, ms } of programs) {
    const python = programs.find((one) => one.side === side && one.way.startsWith('Python'))?.ms
    parts.push(part(`program, ${side}×${side}, ${way}`, ms, way.startsWith('Python') ? undefined : python))
  }
  return {
    about: `Milliseconds of graphs and of whole programs, from values to values. Peer: the same in PyTorch ${eager?.version ?? '(not installed here)'}, eagerly; of programs, the one in Python.`,
    parts,
    notes: [
      `Medians of ${rounds} rounds, after one that makes the session. **products** is (a·b + c)ᵀ·b, **sums** adds up eight. A graph includes the reading of its values and the way to the process of ONNX Runtime and back; a program also its world and its warm jail. One thread each, but for webgpu.`,
      providers
        .map(
          ({ provider, available: there, device, driver, reason }) =>
            `- ${provider}: ${there ? [device, driver].filter(Boolean).join(', ') : 'unavailable'}${reason === undefined ? '' : `; ${reason}`}`,
        )
        .join('\n'),
      winners(parts),
      ...busy(),
    ].join('\n\n'),
  }
}

/** What else runs takes time from all ways, not from each the same. */
function busy(): string[] {
  const [load] = loadavg() as [number]
  const cores = availableParallelism()
  if (load < 1.5 * cores) return []
  return [`The machine was busy (a load of ${load.toFixed(0)} on ${cores} cores): the figures say little.`]
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

function part(name: string, ms: readonly number[], peer: readonly number[] | undefined): BenchPart {
  const ours = median(ms)
  return {
    name,
    unit: 'ms',
    ours,
    ...(peer && { peer: median(peer), ratio: median(peer) / ours }),
    spread: (Math.max(...ms) - Math.min(...ms)) / ours,
  }
}

/** Of each size, the fastest of all ways. */
function winners(parts: readonly BenchPart[]): string {
  const groups = Map.groupBy(parts, ({ name }) => name.split(', ').slice(0, 2).join(', '))
  const rows = [...groups].map(([size, group]) => {
    const best = group.toSorted((a, b) => a.ours - b.ours)[0]!
    const way = best.name.split(', ').slice(2).join(', ')
    const eager = group.find(({ peer }) => peer !== undefined)?.peer ?? Infinity
    return `| ${size} | ${eager < best.ours ? 'PyTorch' : way} |`
  })
  return ['| what | fastest |', '| --- | --- |', ...rows].join('\n')
}

interface Eager {
  version: string
  /** Of the fastest device that PyTorch has here. */
  best(kind: Kind, side: number): number[] | undefined
}

/** null where the interpreter has no torch. */
async function inPytorch(used: readonly number[], rounds: number): Promise<Eager | null> {
  const python = process.env['STATEEVAL_PYTHON'] ?? '/usr/bin/python3'
  const child = spawn(python, ['-W', 'ignore', join(import.meta.dirname, 'tensor/eager.py')], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], OMP_NUM_THREADS: '1' },
  })
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(kinds.flatMap((graph) => used.map((side) => ({ graph, side, rounds })))))
  try {
    const { version, timings } = JSON.parse(await text(child.stdout)) as {
      version: string
      timings: { graph: Kind; side: number; ms: number[] }[]
    }
    const best = (kind: Kind, side: number) =>
      timings
        .filter((one) => one.graph === kind && one.side === side)
        .map(({ ms }) => ms)
        .sort((a, b) => median(a) - median(b))[0]
    return { version, best }
  } catch {
    return null
  }
}
