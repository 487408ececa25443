/** Translates the programs of a request, one after another. */
import { setImmediate } from 'node:timers/promises'
import type { Program, ProgramTranslation, TranslationAgents } from '@stateeval/contracts'
import type { TranslationContext } from './context.ts'
import { loadProgramScenario, requireTranslator } from './find.ts'
import type { StoredTranslation } from './store.ts'

/** Watchers see progress this often; in milliseconds. */
const saveEveryMs = 500

export interface TranslationOrder {
  programs: readonly Program[]
  translator: string
  seed: string | number
  agents?: TranslationAgents
}

/** Each program's translation; `onProgress` is called with the finished ones. */
export async function translateAll(
  { programs, translator, seed, agents }: TranslationOrder,
  context: Pick<TranslationContext, 'artifacts' | 'translators'>,
  signal: AbortSignal,
  onProgress?: (translations: readonly ProgramTranslation[]) => Promise<void>,
): Promise<ProgramTranslation[]> {
  const chosenTranslator = requireTranslator(translator, context)
  const translations: ProgramTranslation[] = []
  for (const [index, program] of programs.entries()) {
    // Others get their turn between two programs; nobody works for a caller who is gone.
    if (index > 0) await setImmediate()
    signal.throwIfAborted()
    const known = await loadProgramScenario(
      program,
      context,
      programs.length === 1 ? '/program' : `/programs/${index}`,
    )
    translations.push({
      program: program.id,
      ...(await chosenTranslator.translate({ program, ...known, seed, ...(agents && { agents }) }, signal)),
    })
    await onProgress?.(translations)
  }
  return translations
}

/**
 * Translates a stored translation's programs, and stores the results along the way. Repeating it gives the
 * same bytes.
 */
export async function produceTranslation(
  record: StoredTranslation,
  context: TranslationContext,
  signal: AbortSignal,
): Promise<ProgramTranslation[]> {
  const { _id: id, translator, seed, agents } = record
  const { store, artifacts, now } = context
  const programs = (await artifacts.getJson(record.programs)) as Program[]
  let savedAt = now().getTime()
  const translations = await translateAll(
    { programs, translator, seed, ...(agents && { agents }) },
    context,
    signal,
    async (progress) => {
      if (now().getTime() - savedAt < saveEveryMs) return
      savedAt = now().getTime()
      await store.progress(id, progress)
    },
  )
  await store.end(id, { status: 'succeeded', translations, finishedAt: now() })
  return translations
}
