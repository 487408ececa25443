/**
 * Tensors that are too large to travel: they are drawn from seeds, and a thousand numbers come out. A graph
 * alone, and a whole program; eager.py has the same.
 */
import type { Language, Observation } from '@stateeval/contracts'
import { completeLimits, type LocalSandbox, type SandboxRun } from '@stateeval/sandbox'
import { computeGraphBounds, checkGraph } from '../../scenarios/tensor-operation/backend/graph/check.ts'
import type { RemoteRuntime } from '../../scenarios/tensor-operation/backend/graph/remote.ts'
import type { GraphProvider } from '../../scenarios/tensor-operation/backend/graph/provider.ts'
import type { TensorWorld } from '../../scenarios/tensor-operation/backend/world.ts'

export const sizes = [10 ** 6, 10 ** 7, 10 ** 8]
const rows = 1000
export const computeShape = (elements: number): [number, number] => [rows, elements / rows]
/** A world is large above 2^20 elements. */
const boundOf = (elements: number) => Math.max(elements, 1_100_000)
/** Of the largest, some seconds each: fewer are enough. */
export const roundsOf = (elements: number, rounds: number) =>
  elements > 10 ** 6 ? Math.min(rounds, 3) : rounds
const seeds = ['tensor.1.1', 'tensor.1.2']

/** What a way took; or why it can't be had here. */
export type Timed = { ms: number[] } | { lacks: string }

export interface Rounds {
  rounds: number
  /** A way whose first run takes longer is not measured. */
  patienceSeconds: number
}

async function timed(
  { rounds, patienceSeconds }: Rounds,
  work: () => Promise<string | undefined>,
): Promise<Timed> {
  const ms: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    const lacks = await work()
    const took = performance.now() - start
    if (lacks !== undefined) return { lacks }
    if (round > 0) ms.push(took)
    else if (took > patienceSeconds * 1000)
      return { lacks: `one run took ${Math.round(took / 1000)} s (--patience ${patienceSeconds})` }
  }
  return { ms }
}

/** (a + b)·a, transposed, and the sums of its columns. */
export async function timeGraph(
  elements: number,
  provider: GraphProvider,
  runtime: RemoteRuntime,
  rounds: Rounds,
): Promise<Timed> {
  const drawn = seeds.map((seed) => ({
    op: 'drawn',
    in: [],
    dtype: 'float32',
    shape: computeShape(elements),
    seed,
  }))
  const nodes = [
    ...drawn,
    { op: 'add', in: [0, 1] },
    { op: 'mul', in: [2, 0] },
    { op: 'permute', in: [3], dims: [1, 0] },
    { op: 'sum', in: [4], dims: [0], keepdim: false },
  ]
  const graph = checkGraph(
    { nodes, outputs: [5], keep: [] },
    new Map(),
    computeGraphBounds(boundOf(elements)),
  )
  return timed(rounds, () =>
    runtime.run(graph, graph.outputs, provider).then(
      () => undefined,
      // Too little memory, or more than a minute.
      ({ message }: Error) => message,
    ),
  )
}

const code = 'RESULT = a.add(b).mul(a).transpose(0, 1).contiguous().sum(0)'
const mib = 2 ** 20

/** The same as a program in a warm jail, world included; a jail that holds the tensors has the room. */
export async function timeLargePrograms(
  elements: number,
  available: readonly GraphProvider[],
  { world, sandbox, ...rounds }: { world: TensorWorld; sandbox: LocalSandbox } & Rounds,
): Promise<(Timed & { way: string })[]> {
  const of = (seed: string) => ({ $tensor: { dtype: 'float32', shape: computeShape(elements), seed } })
  const inputs = [
    { variables: { a: of(seeds[0]!), b: of(seeds[1]!) }, world: { elements: boundOf(elements) } },
  ]
  const limits = { wallMs: 300_000, cpuSeconds: 300 }
  const roomy = { ...limits, memoryMiB: 512 + Math.ceil((8 * 4 * elements) / mib) }
  const run = async (language: Language, on: SandboxRun['world'], provider?: GraphProvider) => {
    const request: SandboxRun = {
      language,
      code,
      inputs,
      world: on,
      limits: completeLimits(language === 'python' ? roomy : limits),
    }
    const [{ ending, tensors }] = (await sandbox.run(request, new AbortController().signal)) as [Observation]
    if (ending.status === 'infrastructure') return ending.reason
    if (ending.status !== 'completed') throw new Error(JSON.stringify(ending))
    // Where the device has too little memory, its graph was left to the CPU.
    if (provider && !tensors?.operations[provider]) return `${provider} has too little memory`
    return undefined
  }
  const timings: Awaited<ReturnType<typeof timeLargePrograms>> = []
  for (const provider of available)
    timings.push({
      way: `JavaScript, ${provider}`,
      ...(await timed(rounds, () => run('javascript', world.tensors.on(provider), provider))),
    })
  const lacks = sandbox.unavailable.python ?? sandbox.missing(world).python
  if (lacks === undefined)
    timings.push({ way: 'Python, PyTorch', ...(await timed(rounds, () => run('python', world))) })
  return timings
}
