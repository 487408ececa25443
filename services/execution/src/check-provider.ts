/** Checks whether the requested tensor provider is available here. */
import {
  type AnyExecutionRequest,
  type Language,
  type MissingProviders,
  ProblemError,
  type TensorProvider,
} from '@stateeval/contracts'
import { getErrorText } from '@stateeval/service-kit'
import type { SandboxWorld } from '@stateeval/sandbox'
import { canRunHere } from './check-request.ts'
import type { ExecutionContext } from './context.ts'

/** Throws a problem that names the field below `at`. */
export async function checkProvider(
  request: AnyExecutionRequest,
  here: Parameters<typeof canRunHere>[1],
  at = '',
): Promise<void> {
  if (!('code' in request)) return
  const { provider, language } = request
  const world = await here.world(request.world, `${at}/world`)
  if (!world.tensors) {
    if (provider !== undefined)
      throw createProviderRefusal(`the world ${world.id} has no tensors; leave out provider`, at)
    return
  }
  if (!(await canRunHere(request, here, at))) return
  const problem =
    language === 'python' ? findPythonProblem(provider, world) : await findProviderProblem(provider, world)
  if (problem !== undefined) throw createProviderRefusal(problem, at)
}

async function findProviderProblem(
  provider: TensorProvider | undefined,
  { tensors }: SandboxWorld,
): Promise<string | undefined> {
  const state = await tensors!.state().catch(getErrorText)
  if (typeof state === 'string') return `this service cannot compute tensors: ${state}`
  if (provider === undefined)
    return 'problem' in state.default ? `${state.default.problem}. Name another provider` : undefined
  const entry = state.providers.find((one) => one.provider === provider)
  if (entry?.available) return undefined
  return `${provider} is unavailable here: ${entry?.reason ?? 'unknown'}. Omit provider, or name one of executionProviders in /v1/runtime`
}

/** PyTorch computes in the jail. Whether it has CUDA is known with the language. */
function findPythonProblem(
  provider: TensorProvider | undefined,
  { preloads }: SandboxWorld,
): string | undefined {
  if (provider === 'webgpu')
    return 'PyTorch does not support webgpu; programs in Python compute tensors on cpu or cuda'
  if (provider === 'cuda' && !preloads?.python?.includes('torch.cuda'))
    return 'Python programs reach a GPU only if their jails have its device files; start the execution service with STATEEVAL_TENSOR_PROVIDER=cuda'
  return undefined
}

/** Why programs cannot use providers here, for services that queue programs. */
export async function listMissingProviders({ worlds }: ExecutionContext): Promise<MissingProviders> {
  const missing: MissingProviders = { javascript: {}, python: {} }
  const world = worlds.find(({ tensors }) => tensors)
  if (!world) return missing
  for (const provider of ['cuda', 'webgpu', 'cpu'] as const)
    for (const language of ['javascript', 'python'] as const satisfies Language[]) {
      const reason =
        language === 'python'
          ? findPythonProblem(provider, world)
          : await findProviderProblem(provider, world)
      if (reason !== undefined) missing[language][provider] = reason
    }
  return missing
}

const createProviderRefusal = (says: string, at: string) =>
  new ProblemError('unprocessable', says, `${at}/provider`)
