/** In which languages programs can be run now: what execution answers, which may be away. */
import { Language, type Manifest, ProblemError, questions, type WorldSummary } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import type { Bus } from '@stateeval/service-kit'
import type { Sets } from './owners/sets.ts'

const all = Language.anyOf.map(({ const: name }) => name)
/** Services that start together are not all there at once. */
const patienceMs = 3000

interface Asks {
  bus: Pick<Bus, 'ask'>
}

/** The worlds among these that execution has; undefined where it doesn’t answer. */
async function worldsOf(
  { bus }: Asks,
  ids: readonly string[],
  patienceMs = 0,
): Promise<WorldSummary[] | undefined> {
  const answer = (await bus.ask(questions.worlds, patienceMs)) as WorldSummary[] | undefined
  return answer?.filter(({ id }) => ids.includes(id))
}

/** All languages in which programs can be run against each of these worlds. Throws a problem where execution doesn’t answer. */
export async function languagesOf(context: Asks, worlds: readonly string[]): Promise<Language[]> {
  const found = await worldsOf(context, worlds, patienceMs)
  if (!found)
    throw new ProblemError(
      'unavailable',
      'execution does not answer, so the languages of this build can’t be chosen; name them in languages, or try again in a moment',
    )
  return all.filter((language) => found.every(({ languages }) => languages.includes(language)))
}

/** Throws a problem, with what to do, where one of the languages can’t be run. While execution is away nothing is known against it. */
export async function checkLanguages(
  context: Asks,
  worlds: readonly string[],
  languages: readonly Language[],
  field?: string,
) {
  const found = (await worldsOf(context, worlds)) ?? []
  for (const language of languages) {
    const without = found.find((world) => !world.languages.includes(language))
    if (without)
      throw new ProblemError(
        'unprocessable',
        `programs in ${language} can’t be run against ${without.id} here: ${without.unavailable[language] ?? 'there is no runtime for it'}`,
        field,
      )
  }
}

/** The worlds of a set’s cases: those of its scenarios, else that of its first case. */
export async function worldsOfSet(
  { scenarios, sets }: { scenarios: readonly Scenario[]; sets: Sets },
  id: string,
  { statistics }: Manifest,
): Promise<string[]> {
  const known = scenarios
    .filter((scenario) => statistics.some((set) => set.scenario === scenario.id))
    .map(({ world }) => world)
  if (known.length > 0) return [...new Set(known)]
  const first = await sets.case(id, 0)
  return 'world' in first ? [first.world] : []
}
