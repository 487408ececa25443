/** Look-ups of what a request names. A problem names the field and the available values. */
import { listWorldArtifacts, type Program, ProblemError } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import { findScenario, scenarios } from '@stateeval/scenarios'
import type { TranslationContext } from './context.ts'
import type { StoredTranslation } from './store.ts'
import type { ProgramTranslator, TranslationSubject } from './translators/index.ts'

/** The scenario of a program, made of its stored model if it has one. */
export async function loadProgramScenario(
  program: Program,
  { artifacts }: Pick<TranslationContext, 'artifacts'>,
  field: string,
): Promise<Omit<TranslationSubject, 'program'>> {
  const [hash] = listWorldArtifacts(program.scenario)
  const model = hash === undefined ? null : await artifacts.get(hash)
  return { scenario: requireProgramScenario(program, field, model), ...(model && { model }) }
}

export function requireProgramScenario(
  { scenario }: Program,
  field: string,
  model: Uint8Array | null = null,
): Scenario {
  const match = findScenario(scenario, model ? () => model : undefined)
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
