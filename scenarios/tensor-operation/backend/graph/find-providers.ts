/**
 * Finds which providers this machine has: each is tried in its own process, which a driver may end or keep
 * for ever.
 */
import type { FoundProvider } from '@stateeval/contracts'
import { describeDevice } from './device.ts'
import { type GraphProvider, providers } from './provider.ts'
import { type WorkerEnvironment, selectPassed, type TriedProvider, GraphWorker } from './worker.ts'

/** Names of STATEEVAL_TENSOR_PROVIDER. */
export const choices = ['auto', ...providers] as const
export type ProviderChoice = (typeof choices)[number]

const cpuMs = 60_000

interface ProviderFindings {
  /** Best first. In automatic choice, an available one with a reason against it is not taken. */
  candidates: FoundProvider[]
  /** The process that has tried the last one. */
  worker: GraphWorker
}

/** Rejects where the CPU provider doesn’t work: then nothing does. */
export async function findProviders(
  choice: ProviderChoice,
  deadlineMs: number,
  env: WorkerEnvironment,
): Promise<ProviderFindings> {
  const selection = providers.filter(
    (provider) => choice === 'auto' || provider === choice || provider === 'cpu',
  )
  const byProvider = new Map<GraphProvider, FoundProvider>(
    providers.map((provider) => [
      provider,
      { provider, available: false, reason: `not tried: STATEEVAL_TENSOR_PROVIDER is ${choice}` },
    ]),
  )
  let [left, worker] = [selection, new GraphWorker(env, selection)]
  while (left.length > 0) {
    const [provider, ...others] = left as [GraphProvider, ...GraphProvider[]]
    left = others
    try {
      // The CPU is no driver's: it may be slow to start on a busy machine.
      const tried = await worker.tried(provider === 'cpu' ? cpuMs : deadlineMs)
      if (!tried) throw new Error('the ONNX Runtime process ended before it had tested every provider')
      byProvider.set(provider, await describe(tried, choice, env))
    } catch (error) {
      await worker.end()
      byProvider.set(provider, { provider, available: false, reason: (error as Error).message })
      worker = new GraphWorker(env, others)
    }
  }
  const cpu = byProvider.get('cpu')!
  if (!cpu.available) {
    await worker.end()
    throw new Error(`ONNX Runtime doesn’t work on this machine: ${cpu.reason}`)
  }
  await worker.tried(cpuMs)
  return { candidates: [...byProvider.values()], worker }
}

/** Tries one again, which worked: null where it still does. */
export async function retryProvider(
  provider: GraphProvider,
  deadlineMs: number,
  env: WorkerEnvironment,
): Promise<string | null> {
  const worker = new GraphWorker(env, [provider])
  try {
    return (await worker.tried(deadlineMs))?.problem ?? null
  } catch (error) {
    return (error as Error).message
  } finally {
    await worker.end()
  }
}

async function describe(
  { provider, problem, libraries }: TriedProvider,
  choice: ProviderChoice,
  env: WorkerEnvironment,
): Promise<FoundProvider> {
  if (problem !== null)
    return { provider, available: false, reason: explainProviderProblem(provider, problem) }
  const { isSoftware, ...device } = await describeDevice(provider, libraries, selectPassed(env))
  const against =
    isSoftware && choice === 'auto'
      ? {
          reason:
            'this Vulkan driver computes on the CPU, more slowly than the cpu provider; STATEEVAL_TENSOR_PROVIDER=webgpu selects it anyway',
        }
      : {}
  return { provider, available: true, ...device, ...against }
}

/** Explains a message of ONNX Runtime, with what to do about it. */
function explainProviderProblem(provider: GraphProvider, problem: string): string {
  if (provider === 'cuda' && /Failed to load shared library/.test(problem))
    return `ONNX Runtime’s CUDA libraries are not installed; the image execution-gpu has them (${problem})`
  if (provider === 'webgpu' && /adapter/i.test(problem))
    return `no Vulkan driver was found that WebGPU accepts; install the GPU’s driver and libvulkan1 (${problem})`
  return problem
}
