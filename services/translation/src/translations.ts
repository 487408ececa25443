/** Translations in the contract's form, and their creation. */
import { type Program, ProblemError, type Translation, type TranslationAgents } from '@stateeval/contracts'
import { findSettingsFault } from '@stateeval/models'
import type { TranslationContext } from './context.ts'
import { loadProgramScenario, requireTranslator } from './find.ts'
import type { TranslationOrder } from './produce.ts'
import type { StoredTranslation } from './store.ts'

/**
 * The order of a request, with an existing scenario and translator; throws a problem that names a faulty
 * field.
 */
export async function buildOrder(
  body: { translator?: string; seed?: string | number; agents?: TranslationAgents } & (
    | { program: Program }
    | { programs: Program[] }
  ),
  context: Pick<TranslationContext, 'env' | 'config' | 'artifacts' | 'translators'>,
): Promise<TranslationOrder> {
  const { translator = 'template', seed = 1, agents } = body
  requireTranslator(translator, context)
  checkAgents(translator, agents, context)
  const programs = 'program' in body ? [body.program] : body.programs
  for (const [index, program] of programs.entries())
    await loadProgramScenario(program, context, 'program' in body ? '/program' : `/programs/${index}`)
  if (agents && programs.length > maxNegotiated)
    throw new ProblemError(
      'unprocessable',
      `agents translate ${maxNegotiated} programs at a time; send fewer, in several requests`,
      '/programs',
    )
  return { programs, translator, seed, ...(agents && { agents }) }
}

/** Their dialogues are part of the answer. */
const maxNegotiated = 50

function checkAgents(
  translator: string,
  agents: TranslationAgents | undefined,
  { env, config }: Pick<TranslationContext, 'env' | 'config'>,
): void {
  if (translator !== 'agents') {
    if (agents)
      throw new ProblemError(
        'unprocessable',
        'agents need the translator agents; remove them, or choose that translator',
        '/agents',
      )
    return
  }
  if (!agents)
    throw new ProblemError(
      'unprocessable',
      'name the model that writes the instructions: {"generator": {"name": …, "settings": …}}',
      '/agents',
    )
  for (const role of ['generator', 'evaluator'] as const) {
    const fault = agents[role] && findSettingsFault(agents[role].settings, { env, networks: config.networks })
    if (fault) throw new ProblemError('unprocessable', fault.says, `/agents/${role}/settings${fault.field}`)
  }
}

/** The versions that an order's instructions depend on. */
export async function listVersions(
  { programs, translator }: TranslationOrder,
  context: Pick<TranslationContext, 'artifacts' | 'translators'>,
): Promise<Record<string, string>> {
  const { id, version } = requireTranslator(translator, context)
  const versions: Record<string, string> = { [id]: version }
  for (const program of new Map(programs.map((one) => [one.scenario, one])).values()) {
    const { scenario } = await loadProgramScenario(program, context, '/program')
    versions[scenario.id] = scenario.version
  }
  return versions
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
