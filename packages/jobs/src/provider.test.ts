import { expect, test } from '@jest/globals'
import {
  type MissingProviders,
  questions,
  type QuestionSubject,
  type TensorProvider,
  type WorldSummary,
} from '@stateeval/contracts'
import type { ItemNeed } from '@stateeval/flows'
import type { ItemFlow } from '@stateeval/workflow'
import { checkProvider, onProvider } from './provider.ts'

const summaries: WorldSummary[] = [
  { id: 'tensors', languages: ['javascript', 'python'], unavailable: {}, tensors: true },
  { id: 'texts', languages: ['javascript'], unavailable: {} },
]
const missing: MissingProviders = {
  javascript: { cuda: 'no device' },
  python: { cuda: 'start it with cuda', webgpu: 'PyTorch does not support webgpu' },
}
const bus = {
  ask: async (subject: QuestionSubject) => (subject === questions.worlds ? summaries : missing),
}
const check = (...args: [string[], TensorProvider | undefined, ('javascript' | 'python')[]]) =>
  checkProvider({ bus }, ...args)

test('a provider is for worlds with tensors, and for languages that have it', async () => {
  await check(['tensors', 'texts'], 'cpu', ['javascript'])
  await check(['tensors'], 'webgpu', ['javascript', 'python'])
  await check(['texts'], undefined, ['javascript'])
  await expect(check(['texts'], 'cpu', ['javascript'])).rejects.toMatchObject({ field: '/provider' })
  await expect(check([], 'cpu', [])).rejects.toThrow('none of the worlds has tensors; leave out provider')
  await expect(check(['tensors'], 'webgpu', ['python'])).rejects.toThrow('PyTorch does not support webgpu')
  for (const languages of [['javascript'], ['javascript', 'python']] as ('javascript' | 'python')[][])
    await expect(check(['tensors'], 'cuda', languages)).rejects.toMatchObject({
      field: '/provider',
      message:
        'no replica of execution that runs programs with tensors has cuda for javascript: no device; omit provider, or add such a replica',
    })
  // While execution is away, nothing is known.
  await checkProvider({ bus: { ask: async () => undefined } }, ['texts'], 'cpu', ['javascript'])
})

test('programs are run on it, and nothing else changes', async () => {
  const needOf = async (provider: 'webgpu' | 'cpu' | undefined, need: unknown) => {
    const flow = { start: () => ({ done: null }), resume: () => ({ done: null }), need: () => need }
    return onProvider(flow as unknown as ItemFlow<ItemNeed>, provider).need(null)
  }
  const code = (language: string) => ({
    kind: 'execute',
    payload: { language, code: '', world: 'tensors', inputs: [] },
  })
  expect(await needOf('webgpu', code('javascript'))).toMatchObject({ payload: { provider: 'webgpu' } })
  expect(await needOf('cpu', code('python'))).toMatchObject({ payload: { provider: 'cpu' } })
  for (const need of [code('python'), { kind: 'execute', payload: { calls: [] } }, { kind: 'score' }])
    expect(await needOf('webgpu', need)).toEqual(need)
  expect(await needOf(undefined, code('javascript'))).toEqual(code('javascript'))
})
