/** What computes tensors: a request may ask for a provider, an observation says which one it was. */
import { expect, test } from '@jest/globals'
import type { ExecutionRequest, FoundProvider, TensorProvider } from '@stateeval/contracts'
import type { SandboxWorld } from '@stateeval/sandbox'
import { partial } from '@stateeval/testkit/partial'
import { checkProvider } from '../src/check-provider.ts'
import type { ExecutionContext } from '../src/context.ts'

const providers: FoundProvider[] = [
  { provider: 'cuda', available: false, reason: 'no device' },
  { provider: 'webgpu', available: true, device: 'a GPU' },
  { provider: 'cpu', available: true },
]
const tensors = (preloads: SandboxWorld['preloads'] = { python: ['torch'] }, problem?: string) =>
  partial<SandboxWorld>({
    id: 'tensors',
    preloads,
    tensors: {
      state: () =>
        Promise.resolve({
          providers,
          default: problem === undefined ? { provider: 'webgpu' as const } : { problem },
        }),
      on: () => partial<SandboxWorld>({}),
      counts: () => ({}),
    },
  })
const fault = async (
  world: SandboxWorld,
  provider?: TensorProvider,
  language: ExecutionRequest['language'] = 'javascript',
) => {
  const request: ExecutionRequest = {
    language,
    code: '',
    world: 'w',
    inputs: [],
    ...(provider && { provider }),
  }
  const config = partial<ExecutionContext['config']>({ tensorPrograms: 'also' })
  return checkProvider(
    request,
    partial<ExecutionContext>({ world: () => Promise.resolve(world), config }),
    '/batch/1',
  ).then(
    () => null,
    ({ message, field }: { message: string; field: string }) => {
      expect(field).toBe('/batch/1/provider')
      return message
    },
  )
}

test('what is there may be asked for; what is not there is refused with the reason', async () => {
  expect(await fault(tensors())).toBeNull()
  expect(await fault(tensors(), 'webgpu')).toBeNull()
  expect(await fault(tensors(), 'cpu')).toBeNull()
  expect(await fault(tensors(), 'cuda')).toMatch(/^cuda is unavailable here: no device\. Omit provider/)
  expect(await fault(partial<SandboxWorld>({ id: 'none' }), 'cpu')).toMatch(/^the world none has no tensors/)
  expect(await fault(partial<SandboxWorld>({ id: 'none' }))).toBeNull()
})
test('where the provider of the settings is missing, tensors are refused unless another is named', async () => {
  const missing = tensors(undefined, 'STATEEVAL_TENSOR_PROVIDER is cuda, which is unavailable: no device')
  expect(await fault(missing)).toMatch(/cuda, which is unavailable: no device\. Name another provider/)
  expect(await fault(missing, 'cpu')).toBeNull()
})
test('PyTorch reaches a GPU only where its device files are handed over', async () => {
  expect(await fault(tensors(), 'cuda', 'python')).toMatch(/STATEEVAL_TENSOR_PROVIDER=cuda/)
  expect(await fault(tensors({ python: ['torch', 'torch.cuda'] }), 'cuda', 'python')).toBeNull()
  expect(await fault(tensors(), 'webgpu', 'python')).toMatch(/^PyTorch does not support webgpu/)
  expect(await fault(tensors(), 'cpu', 'python')).toBeNull()
})
