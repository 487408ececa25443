/** Look-ups of what a request names. A problem names the field and the available values. */
import { type Program, ProblemError } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import type { TranslationContext } from './context.ts'
import type { StoredTranslation } from './store.ts'
import type { ProgramTranslator } from './translators/index.ts'

export function requireProgramScenario(
  { scenario }: Program,
  { scenarios }: Pick<TranslationContext, 'scenarios'>,
  field: string,
): Scenario {
  const match = scenarios.find(({ id }) => id === scenario)
  if (match) return match
  const ids = scenarios.map(({ id }) => id).join(', ')
  throw new ProblemError(
    'unprocessable',
    `there is no scenario ${JSON.stringify(scenario)}; available: ${ids}`,
    `${field}/scenario`,
  )
}

export function requireTranslator(
  id: string,
  { translators }: Pick<TranslationContext, 'translators'>,
): ProgramTranslator {
  const match = translators.find((translator) => translator.id === id)
  if (match) return match
  const ids = translators.map((translator) => translator.id).join(', ')
  throw new ProblemError(
    'unprocessable',
    `there is no translator ${JSON.stringify(id)}; available: ${ids}`,
    '/translator',
  )
}

export async function requireTranslation(
  { store }: Pick<TranslationContext, 'store'>,
  id: string,
): Promise<StoredTranslation> {
  const record = await store.find(id)
  if (!record) throw new ProblemError('not-found', `there is no translation ${JSON.stringify(id)}`)
  return record
}
