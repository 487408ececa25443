/**
 * Where tensors are computed fastest: graphs of rising size on each provider of this machine and in PyTorch,
 * which computes eagerly, and whole programs in warm jails, all in one run. Options: --largest N, the longest
 * side of a matrix (256; a Vulkan driver without a GPU behind it takes seconds for more, and 1024 is the
 * most); --elements N, of the largest tensor that is drawn from a seed (100000000 takes 8 GiB); --rounds N
 * (5); --provider NAME: what is tried (auto); --patience SECONDS (20): a way whose first run on a large
 * tensor takes longer is not measured, and gets none that is larger.
 */
import { availableParallelism, loadavg } from 'node:os'
import type { GraphProvider } from '../scenarios/tensor-operation/backend/graph/provider.ts'
import { createRemoteRuntime } from '../scenarios/tensor-operation/backend/graph/remote.ts'
import type { Bench, BenchPart } from './result.ts'
import { createSandbox } from '@stateeval/sandbox'
import { createTensorWorld } from '../scenarios/tensor-operation/backend/index.ts'
import { inPytorch } from './tensor/eager.ts'
import { graphOf, kinds } from './tensor/graphs.ts'
import { roundsOf, computeShape, sizes, type Timed, timeGraph, timeLargePrograms } from './tensor/large.ts'
import { timePrograms } from './tensor/programs.ts'

const sides = [16, 64, 256, 512, 1024]

export async function run(options: string[]): Promise<Bench> {
  const option = (name: string) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined)
  const [largest, rounds] = [Number(option('--largest') ?? 256), Number(option('--rounds') ?? 5)]
  const patienceSeconds = Number(option('--patience') ?? 20)
  const choice = (option('--provider') ?? 'auto') as GraphProvider | 'auto'
  const used = sides.filter((side) => side <= largest)
  const elements = sizes.filter((size) => size <= Number(option('--elements') ?? Infinity))
  const eager = await inPytorch([
    ...kinds.flatMap((graph) => used.map((side) => ({ graph, shape: [side, side], rounds }))),
    ...elements.map((size) => ({
      graph: 'drawn',
      shape: computeShape(size),
      rounds: roundsOf(size, rounds),
    })),
  ])
  const runtime = await createRemoteRuntime({ maxWorkers: 1, choice })
  const providers = runtime.providers()
  const available = providers.flatMap((one) => (one.available ? [one.provider] : []))
  const parts: BenchPart[] = []
  const missing: string[] = []
  /** Elements of the largest graph that is left to a provider, where one was too large or too slow. */
  const most = new Map<GraphProvider, number>()
  const providersFor = (size: number) =>
    available.filter((provider) => size <= (most.get(provider) ?? Infinity))
  const add = (name: string, timed: Timed, peer?: readonly number[]) => {
    if ('ms' in timed) parts.push(part(name, timed.ms, peer))
    else missing.push(`- ${name}: ${timed.lacks}`)
  }
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
          parts.push(part(`${kind}, ${side}×${side}, ${provider}`, ms, eager?.best(kind, [side, side])))
        }
    for (const size of elements)
      for (const provider of providersFor(size)) {
        const timed = await timeGraph(size, provider, runtime, {
          rounds: roundsOf(size, rounds),
          patienceSeconds,
        })
        if ('lacks' in timed) most.set(provider, size / 10)
        add(`drawn, ${powerOf(size)}, ${provider}`, timed, eager?.best('drawn', computeShape(size)))
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
  const [world, sandbox] = [createTensorWorld({ choice }), await createSandbox({ concurrency: 1 })]
  try {
    for (const size of elements) {
      const tools = { world, sandbox, rounds: roundsOf(size, rounds), patienceSeconds }
      const timings = await timeLargePrograms(size, providersFor(size), tools)
      const python = timings.find(({ way }) => way.startsWith('Python'))
      for (const { way, ...timed } of timings)
        add(
          `program, ${powerOf(size)}, ${way}`,
          timed,
          way.startsWith('Python') || !python || !('ms' in python) ? undefined : python.ms,
        )
    }
  } finally {
    await sandbox.close()
    await world.close()
  }
  return {
    about: `Milliseconds for graphs and for whole programs, from values to values. Peer: the same in eager PyTorch ${eager?.version ?? '(not installed here)'}; for programs, the Python program.`,
    parts,
    notes: [
      `Medians of ${rounds} rounds, after one that creates the session. **products** is (a·b + c)ᵀ·b, **sums** adds eight. **drawn** is ((a + b)·a)ᵀ summed by columns, of two tensors with 10⁶ to 10⁸ elements that are drawn from seeds, which counts as well (3 rounds above 10⁶). A graph includes reading its values and the communication with ONNX Runtime’s process; a program also includes its world and its warm jail. All except webgpu use one thread.`,
      providers
        .map(
          ({ provider, available: there, device, driver, reason }) =>
            `- ${provider}: ${there ? [device, driver].filter(Boolean).join(', ') : 'unavailable'}${reason === undefined ? '' : `; ${reason}`}`,
        )
        .join('\n'),
      winners(parts),
      ...(missing.length > 0 ? [`Not measured:\n\n${missing.join('\n')}`] : []),
      ...busy(),
    ].join('\n\n'),
  }
}

/** What else runs takes time from all ways, not from each the same. */
function busy(): string[] {
  const [load] = loadavg() as [number]
  const cores = availableParallelism()
  if (load < 1.5 * cores) return []
  return [
    `The machine was busy (a load of ${load.toFixed(0)} on ${cores} cores): the figures are not meaningful.`,
  ]
}

const powerOf = (elements: number) => `10^${Math.log10(elements)} elements`
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
