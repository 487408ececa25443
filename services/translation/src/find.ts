/** Look-ups of what a request names; a problem that says the field and what there is, where it isn't there. */
import { type Program, ProblemError } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import type { Context } from './context.ts'
import type { StoredTranslation } from './store.ts'
import type { Translator } from './translators/index.ts'

export function scenarioOf(
  { scenario }: Program,
  { scenarios }: Pick<Context, 'scenarios'>,
  field: string,
): Scenario {
  const found = scenarios.find(({ id }) => id === scenario)
  if (found) return found
  const known = scenarios.map(({ id }) => id).join(', ')
  throw new ProblemError(
    'unprocessable',
    `there is no scenario ${JSON.stringify(scenario)}; there are: ${known}`,
    `${field}/scenario`,
  )
}

export function translatorOf(id: string, { translators }: Pick<Context, 'translators'>): Translator {
  const found = translators.find((translator) => translator.id === id)
  if (found) return found
  const known = translators.map((translator) => translator.id).join(', ')
  throw new ProblemError(
    'unprocessable',
    `there is no translator ${JSON.stringify(id)}; there are: ${known}`,
    '/translator',
  )
}

export async function existing({ store }: Pick<Context, 'store'>, id: string): Promise<StoredTranslation> {
  const found = await store.find(id)
  if (!found) throw new ProblemError('not-found', `there is no translation ${JSON.stringify(id)}`)
  return found
}
