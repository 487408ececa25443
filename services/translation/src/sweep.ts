/**
 * Queues translations without a worker: their message was lost with the broker, or their request was
 * interrupted.
 */
import { subjects } from '@stateeval/contracts'
import { runInTrace } from '@stateeval/service-kit'
import type { TranslationContext } from './context.ts'

export async function sweepTranslations({ store, send }: TranslationContext): Promise<void> {
  // A job that is queued or in flight can't be queued twice, so asking again costs nothing.
  for (const { _id, trace } of await store.unfinished())
    await runInTrace(trace, () => send(subjects.translate, { id: _id, value: { translation: _id } }))
}
