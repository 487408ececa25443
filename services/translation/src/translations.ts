/** Translations as the contract shows them, and how one comes to be. */
import type { Program, Translation } from '@stateeval/contracts'
import type { Context } from './context.ts'
import { scenarioOf, translatorOf } from './find.ts'
import type { Order } from './produce.ts'
import type { StoredTranslation } from './store.ts'

/** A request as an order whose scenarios and translator are there; a problem that names the field where one isn't. */
export function orderOf(
  body: { translator?: string; seed?: string | number } & ({ program: Program } | { programs: Program[] }),
  context: Pick<Context, 'scenarios' | 'translators'>,
): Order {
  const { translator = 'template', seed = 1 } = body
  translatorOf(translator, context)
  const programs = 'program' in body ? [body.program] : body.programs
  for (const [index, program] of programs.entries()) scenarioOf(program, context, 'program' in body ? '/program' : `/programs/${index}`)
  return { programs, translator, seed }
}

/** The versions that an order's instructions depend on. */
export function versionsOf({ programs, translator }: Order, context: Pick<Context, 'scenarios' | 'translators'>): Record<string, string> {
  const scenarios = context.scenarios.filter(({ id }) => programs.some(({ scenario }) => scenario === id))
  const { id, version } = translatorOf(translator, context)
  return { [id]: version, ...Object.fromEntries(scenarios.map((scenario) => [scenario.id, scenario.version])) }
}

export function toResource({
  _id,
  status,
  translator,
  seed,
  versions,
  total,
  translations,
  createdAt,
  finishedAt,
  error,
}: StoredTranslation): Translation {
  return {
    id: _id,
    status,
    progress: { done: translations.length, total, phase: 'translate' },
    translator,
    seed,
    versions,
    translations,
    createdAt: createdAt.toISOString(),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    ...(error !== undefined && { error }),
    links: { self: `/v1/translations/${_id}` },
  }
}
