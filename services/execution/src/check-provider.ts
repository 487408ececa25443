/** Checks whether the requested tensor provider is available here. */
import { type AnyExecutionRequest, ProblemError, type TensorProvider } from '@stateeval/contracts'
import { messageOf } from '@stateeval/service-kit'
import type { World } from '@stateeval/sandbox'
import type { Context } from './context.ts'

/** Throws a problem that names the field below `at`. */
export async function checkProvider(
  request: AnyExecutionRequest,
  { world: find }: Pick<Context, 'world'>,
  at = '',
): Promise<void> {
  if (!('code' in request)) return
  const { provider, language } = request
  const world = find(request.world, `${at}/world`)
  if (!world.tensors) {
    if (provider !== undefined) throw refused(`the world ${world.id} has no tensors; leave out provider`, at)
    return
  }
  if (language === 'python') return checkPython(provider, world, at)
  const problem = await problemWith(provider, world)
  if (problem !== undefined) throw refused(problem, at)
}

async function problemWith(
  provider: TensorProvider | undefined,
  { tensors }: World,
): Promise<string | undefined> {
  const state = await tensors!.state().catch(messageOf)
  if (typeof state === 'string') return `this service cannot compute tensors: ${state}`
  if (provider === undefined)
    return 'problem' in state.default ? `${state.default.problem}. Name another provider` : undefined
  const entry = state.providers.find((one) => one.provider === provider)
  if (entry?.available) return undefined
  return `${provider} is unavailable here: ${entry?.reason ?? 'unknown'}. Omit provider, or name one of executionProviders in /v1/runtime`
}

/** PyTorch computes in the jail. Whether it has CUDA is known with the language. */
function checkPython(provider: TensorProvider | undefined, { preloads }: World, at: string) {
  if (provider === 'webgpu')
    throw refused('PyTorch does not support webgpu; programs in Python compute tensors on cpu or cuda', at)
  if (provider === 'cuda' && !preloads?.python?.includes('torch.cuda'))
    throw refused(
      'Python programs reach a GPU only if their jails have its device files; start the execution service with STATEEVAL_TENSOR_PROVIDER=cuda',
      at,
    )
}

const refused = (says: string, at: string) => new ProblemError('unprocessable', says, `${at}/provider`)
