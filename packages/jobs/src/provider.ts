/** The provider that computes the tensors of an owner's runs, if its request names one. */
import {
  type Language,
  type MissingProviders,
  ProblemError,
  questions,
  type TensorProvider,
  type WorldSummary,
} from '@stateeval/contracts'
import type { ItemNeed } from '@stateeval/flows'
import type { MessageBus } from '@stateeval/service-kit'
import type { ItemFlow } from '@stateeval/workflow'

const nothingMissing: MissingProviders = { javascript: {}, python: {} }
/** Tells whether execution chooses the provider, because PyTorch does not support the requested one. */
const isChosenByExecution = (provider: TensorProvider, language: Language) =>
  provider === 'webgpu' && language === 'python'
const refuseProvider = (says: string) => new ProblemError('unprocessable', says, '/provider')

/**
 * Throws a problem if none of these worlds has tensors, or if PyTorch cannot use the provider. Only
 * execution services know whether a provider is available; while none answers, no provider is refused.
 */
export async function checkProvider(
  { bus }: { bus: Pick<MessageBus, 'ask'> },
  worlds: readonly string[],
  provider: TensorProvider | undefined,
  languages: readonly Language[],
): Promise<void> {
  if (provider === undefined) return
  if (provider === 'webgpu' && !languages.includes('javascript'))
    throw refuseProvider('PyTorch does not support webgpu; programs in Python compute tensors on cpu or cuda')
  const summaries = ((await bus.ask(questions.worlds, 0)) as WorldSummary[] | undefined) ?? []
  const known = summaries.filter(({ id }) => worlds.includes(id))
  if (worlds.length === 0 || (known.length === worlds.length && known.every(({ tensors }) => !tensors)))
    throw refuseProvider('none of the worlds has tensors; leave out provider')
  const missing = ((await bus.ask(questions.providers, 0)) as MissingProviders | undefined) ?? nothingMissing
  for (const language of languages) {
    const reason = missing[language][provider]
    if (reason !== undefined && !isChosenByExecution(provider, language))
      throw refuseProvider(
        `no replica of execution that runs programs with tensors has ${provider} for ${language}: ${reason}; omit provider, or add such a replica`,
      )
  }
}

/**
 * The item with its programs run on the provider. Python has no webgpu provider, so execution chooses one
 * there.
 */
export function onProvider(
  flow: ItemFlow<ItemNeed>,
  provider: TensorProvider | undefined,
): ItemFlow<ItemNeed> {
  if (provider === undefined) return flow
  return {
    ...flow,
    async need(state) {
      const need = await flow.need(state)
      if (need.kind !== 'execute' || !('code' in need.payload)) return need
      if (isChosenByExecution(provider, need.payload.language)) return need
      return { ...need, payload: { ...need.payload, provider } }
    },
  }
}
