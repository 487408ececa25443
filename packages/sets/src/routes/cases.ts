/** The cases of a set: the list, a case with its reference answer, and the question for the model. */
import { listCaseArtifacts, ProblemError } from '@stateeval/contracts'
import { fillPage, placeOf } from '@stateeval/service-kit'
import { checkPrompting, chooseDefaultLanguage } from '../options.ts'
import { type ReferenceSources, loadReference } from '../reference.ts'
import { loadExamples, type BenchmarkSets } from '../sets.ts'
import { type OwnerSource, requireReadyBenchmark, type EvaluationRoute } from '@stateeval/jobs'

interface CaseSource extends OwnerSource {
  sets: BenchmarkSets
}
/** Besides cases, what prompts and answers are made with. */
interface PromptSource extends CaseSource, ReferenceSources {}

export const listBenchmarkCases: EvaluationRoute<'listBenchmarkCases', CaseSource> = async (
  { params: { id }, query: { limit = 50, cursor } },
  context,
) => {
  const { manifest } = await requireReadyBenchmark(context, id)
  const from = placeOf(cursor)
  async function* cases() {
    for (let n = from; n < manifest.counts.kept; n++) yield await context.sets.case(id, n)
  }
  const { items, more } = await fillPage(cases(), limit)
  return { status: 200, body: { items, ...(more && { next: String(from + items.length) }) } }
}

export const getBenchmarkCase: EvaluationRoute<'getBenchmarkCase', CaseSource> = async (
  { params: { id, case: name } },
  context,
) => {
  await requireReadyBenchmark(context, id)
  return { status: 200, body: await loadCaseOfBenchmark(context, id, name) }
}

async function findCasePlace({ sets }: Pick<CaseSource, 'sets'>, id: string, name: string): Promise<number> {
  const n = (await sets.ids(id)).indexOf(name)
  if (n < 0) throw new ProblemError('not-found', `the benchmark ${id} has no case ${JSON.stringify(name)}`)
  return n
}
const loadCaseOfBenchmark = async (context: Pick<CaseSource, 'sets'>, id: string, name: string) =>
  context.sets.case(id, await findCasePlace(context, id, name))

export const getBenchmarkReference: EvaluationRoute<'getBenchmarkReference', PromptSource> = async (
  { params, query },
  context,
) => {
  const { id, kind } = await requireReadyBenchmark(context, params.id)
  const c = await loadCaseOfBenchmark(context, id, params.case)
  return { status: 200, body: await loadReference(context, kind, c, query.language) }
}

export const getBenchmarkPrompts: EvaluationRoute<'getBenchmarkPrompts', PromptSource> = async (
  {
    params: { id },
    query: {
      language: languageName,
      prompting = 'direct',
      documentation,
      shots = 3,
      seed = 1,
      setup,
      layout,
      mode: chosenMode,
      case: only,
    },
  },
  context,
) => {
  const { manifest, kind } = await requireReadyBenchmark(context, id)
  const benchmark = context.benchmark(kind)
  const language = languageName ?? chooseDefaultLanguage(benchmark, chosenMode)
  const laidOut = {
    ...(chosenMode && { mode: chosenMode }),
    ...(language && { language }),
    prompting,
    ...(setup !== undefined && { setup }),
    ...(layout !== undefined && { layout }),
  }
  checkPrompting(benchmark, { ...laidOut, shots })
  const mode = documentation ?? benchmark.asking.defaults?.documentation ?? 'full'
  if (prompting === 'reflect')
    throw new ProblemError(
      'unprocessable',
      'prompting reflect shows a model its errors, so a file cannot answer its prompts',
      '/prompting',
    )
  const chosen = only === undefined ? undefined : await findCasePlace(context, id, only)
  async function* lines() {
    for (let n = 0; n < manifest.counts.kept; n++) {
      if (chosen !== undefined && chosen !== n) continue
      const c = await context.sets.case(id, n)
      const examples = await loadExamples(context, id, benchmark, c, { prompting, shots, seed })
      const options = { ...laidOut, documentation: mode, ...(examples && { examples }) }
      const [prompts, turn] = await context.artifactCache.use(
        [c, ...(examples ?? [])].flatMap(listCaseArtifacts),
        () => [benchmark.asking.prompts?.(c, options), benchmark.episode.start(c, options)] as const,
      )
      if (prompts) {
        yield prompts.map((prompt) => `${JSON.stringify({ case: c.id, ...prompt })}\n`).join('')
        continue
      }
      if ('done' in turn || turn.need.kind !== 'reply')
        throw new ProblemError(
          'unprocessable',
          'a file cannot answer the episodes of this benchmark',
          '/prompting',
        )
      yield `${JSON.stringify({ case: c.id, messages: turn.need.append, ...(turn.need.tools && { tools: turn.need.tools }) })}\n`
    }
  }
  return { status: 200, body: lines() }
}
