/**
 * Options that depend on the benchmark and on the languages that execution can run now. A problem names the
 * field and the available values.
 */
import {
  EvaluationOptions,
  Language,
  type Manifest,
  type ModelSettings,
  parseWorldId,
  ProblemError,
  questions,
  type WorldSummary,
} from '@stateeval/contracts'
import type { Benchmark, Scenario } from '@stateeval/program'
import { type MessageBus, createChecker } from '@stateeval/service-kit'
import type { BenchmarkSets } from './sets.ts'

function requireKnownName(field: string, value: string, names: readonly string[]): void {
  if (!names.includes(value))
    throw new ProblemError(
      'unprocessable',
      `${field} ${JSON.stringify(value)} is unknown to this benchmark; available: ${names.join(', ') || 'none'}`,
      `/${field}`,
    )
}

/** Options of one prompting each. */
const ofPrompting = { shots: 'few-shot', rounds: 'reflect' } as const

/**
 * Resources show these options under every prompting, with their defaults, and clients may send them again.
 * Any other value was meant.
 */
function checkOfPrompting({
  prompting,
  ...options
}: Pick<EvaluationOptions, 'prompting'> & Partial<EvaluationOptions>): void {
  for (const name of ['shots', 'rounds'] as const) {
    const needed = ofPrompting[name]
    const { default: usual } = EvaluationOptions.properties[name] as { default?: number }
    if (prompting !== needed && options[name] !== undefined && options[name] !== usual)
      throw new ProblemError(
        'unprocessable',
        `only prompting ${needed} has ${name}, and prompting is ${prompting}; set prompting to ${needed}, or leave ${name} out`,
        `/${name}`,
      )
  }
}

export function checkPrompting(
  benchmark: Benchmark,
  options: Pick<EvaluationOptions, 'mode' | 'language' | 'prompting' | 'setup' | 'layout'> &
    Partial<Pick<EvaluationOptions, 'shots' | 'rounds'>>,
): void {
  const { mode, language, prompting, setup, layout } = options
  if (language !== undefined && !benchmark.asking.languages)
    throw new ProblemError(
      'unprocessable',
      `${benchmark.kind} has no programs; leave language out`,
      '/language',
    )
  if (language !== undefined) requireKnownName('language', language, benchmark.asking.languages ?? [])
  requireKnownName('prompting', prompting, benchmark.asking.promptings)
  if (mode !== undefined) requireKnownName('mode', mode, benchmark.asking.modes ?? [])
  if (setup !== undefined) requireKnownName('setup', setup, benchmark.asking.setups ?? [])
  if (layout !== undefined) requireKnownName('layout', layout, benchmark.asking.layouts ?? [])
  checkOfPrompting(options)
  const refusal = benchmark.asking.refuses?.(options)
  if (refusal) throw new ProblemError('unprocessable', refusal.says, refusal.field)
}
export function checkOptions(benchmark: Benchmark, options: EvaluationOptions): void {
  checkPrompting(benchmark, options)
  if (options.policy !== undefined) requireKnownName('policy', options.policy, benchmark.policies)
  if (options.settings !== undefined)
    requireKnownName('settings', options.settings, Object.keys(benchmark.asking.settings ?? {}))
  checkLimits(benchmark, options)
}

/** Throws a problem if the options need what the cases of the set lack; the first one stands for all. */
export async function checkCases(
  { sets }: { sets: Pick<BenchmarkSets, 'case'> },
  benchmark: Benchmark,
  set: string,
  options: EvaluationOptions,
): Promise<void> {
  const refusal = benchmark.asking.refusesFor?.(await sets.case(set, 0), options)
  if (refusal) throw new ProblemError('unprocessable', refusal.says, refusal.field)
}

function checkLimits({ kind, dialogues }: Benchmark, { limits }: EvaluationOptions): void {
  if (limits === undefined) return
  if (!dialogues)
    throw new ProblemError('unprocessable', `${kind} has no dialogues; leave limits out`, '/limits')
  for (const name of Object.keys(limits) as (keyof typeof limits)[]) {
    const most = dialogues.limits.most?.[name]
    if (most !== undefined && limits[name]! > most)
      throw new ProblemError(
        'unprocessable',
        `a dialogue of ${kind} has at most ${most} ${name}; set ${name} to ${most} or less`,
        `/limits/${name}`,
      )
  }
}

/** The default language of programs; undefined without programs, for example if the model calls tools. */
export const chooseDefaultLanguage = (
  { asking: { languages = [] } }: Pick<Benchmark, 'asking'>,
  mode?: EvaluationOptions['mode'],
): Language | undefined =>
  mode === 'tools' ? undefined : languages.includes('javascript') ? 'javascript' : languages[0]

/**
 * A request's choices, completed with the benchmark's defaults. Throws a problem if the benchmark does not
 * offer a choice.
 */
export function completeEvaluationOptions(
  benchmark: Benchmark,
  chosen: Partial<EvaluationOptions>,
): EvaluationOptions {
  const language = chooseDefaultLanguage(benchmark, chosen.mode)
  const options = createChecker(EvaluationOptions).complete({
    ...(language && { language }),
    ...benchmark.asking.defaults,
    ...structuredClone(chosen),
  })
  checkOptions(benchmark, options)
  // The default is the same evaluation, whether it is named or not.
  if (options.mode === benchmark.asking.modes?.[0]) delete options.mode
  return options
}

/** Throws a problem if the dialogue needs chat: a plain completion has only one text. */
export function checkChat(
  benchmark: Benchmark,
  options: EvaluationOptions,
  { api = 'chat' }: ModelSettings,
  field: string,
): void {
  if (api === 'chat') return
  if (api === 'embeddings')
    throw new ProblemError(
      'unprocessable',
      'this model returns embeddings only; name a model of api chat',
      field,
    )
  const lacks = [
    ...(benchmark.asking.chat?.(options) ?? []),
    ...(options.prompting === 'reflect' ? ['roles'] : []),
  ]
  if (lacks.length > 0)
    throw new ProblemError(
      'unprocessable',
      `the completions API has no tools and no roles, but this evaluation needs ${[...new Set(lacks)].join(' and ')}; name a model of api chat`,
      field,
    )
}

const all = Language.anyOf.map(({ const: name }) => name)
/** Services that start together are not all there at once. */
const patienceMs = 3000

interface ServiceQuestioner {
  bus: Pick<MessageBus, 'ask'>
}

/** The worlds among these that execution has; undefined where it doesn’t answer. */
async function askKnownWorlds(
  { bus }: ServiceQuestioner,
  ids: readonly string[],
  patienceMs = 0,
): Promise<WorldSummary[] | undefined> {
  const answer = (await bus.ask(questions.worlds, patienceMs)) as WorldSummary[] | undefined
  // Modelled worlds need what a program without a world needs.
  const named = ids.map((id) => (parseWorldId(id) === null ? id : 'none'))
  return answer?.filter(({ id }) => named.includes(id))
}

/**
 * The languages that can run programs against all of these worlds. Throws a problem if execution does not
 * answer.
 */
export async function askLanguages(
  context: ServiceQuestioner,
  worlds: readonly string[],
): Promise<Language[]> {
  const summaries = await askKnownWorlds(context, worlds, patienceMs)
  if (!summaries)
    throw new ProblemError(
      'unavailable',
      'the execution service is unavailable, so the default languages are unknown; name them in languages, or try again in a moment',
    )
  return all.filter((language) => summaries.every(({ languages }) => languages.includes(language)))
}

/**
 * Throws a problem with a remedy if a language cannot be run. While execution is unavailable, no language
 * is refused.
 */
export async function checkLanguages(
  context: ServiceQuestioner,
  worlds: readonly string[],
  languages: readonly Language[],
  field?: string,
) {
  const summaries = (await askKnownWorlds(context, worlds)) ?? []
  for (const language of languages) {
    const without = summaries.find((world) => !world.languages.includes(language))
    if (without)
      throw new ProblemError(
        'unprocessable',
        `programs in ${language} cannot be run against ${without.id} here: ${without.unavailable[language] ?? 'there is no runtime for it'}`,
        field,
      )
  }
}

/** The worlds of a set's cases: those of its scenarios, otherwise that of its first case. */
export async function listSetWorlds(
  { scenarios, sets }: { scenarios: readonly Scenario[]; sets: BenchmarkSets },
  id: string,
  { statistics }: Manifest,
): Promise<string[]> {
  const ofScenarios = scenarios
    .filter((scenario) => statistics.some((set) => set.scenario === scenario.id))
    .map(({ world }) => world)
  if (ofScenarios.length > 0) return [...new Set(ofScenarios)]
  const first = await sets.case(id, 0)
  return 'world' in first ? [first.world] : []
}
