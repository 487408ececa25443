/** Translates one program, or the programs of a stored translation. */
import { ProblemError, subjects, TranslateJob, type TranslateResult } from '@stateeval/contracts'
import { accepts, type JobDefinition, JobRefusal } from '@stateeval/service-kit'
import type { TranslationContext } from '../context.ts'
import { produceTranslation, translateAll } from '../produce.ts'
import { buildOrder } from '../translations.ts'

export const translateJob: JobDefinition<TranslationContext, TranslateJob, TranslateResult> = {
  takes: subjects.translate,
  // Agents wait for their models; the template translator only computes, one program after another.
  concurrency: 16,
  timeoutMs: 3_600_000,
  validate: accepts(TranslateJob),
  async handle(payload, context, { signal }) {
    if ('translation' in payload) {
      const record = await context.store.find(payload.translation)
      if (!record) throw new JobRefusal(`there is no translation ${payload.translation}`)
      const all = await produceTranslation(record, context, signal)
      const verified = all.filter(({ status }) => status === 'verified').length
      return { translation: record._id, verified, rejected: all.length - verified }
    }
    const [translation] = await translateAll(
      await refuseOnProblem(async () => buildOrder(payload, context)),
      context,
      signal,
    )
    return translation as TranslateResult
  },
  async ended(payload, { reason }, _id, { store, now }) {
    const translationId = (payload as { translation?: string } | null)?.translation
    if (translationId === undefined) return
    const translations = (await store.find(translationId))?.translations ?? []
    await store.end(translationId, { status: 'failed', translations, error: reason, finishedAt: now() })
  },
}

/** An unknown scenario stays unknown, however often it is asked for. */
async function refuseOnProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProblemError) throw new JobRefusal(`${error.field}: ${error.message}`)
    throw error
  }
}
