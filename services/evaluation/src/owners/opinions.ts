/**
 * Second opinions: after the samples are scored, another model is asked why the failed ones failed.
 * Verdicts never wait for opinions.
 */
import type { Message, ReportResult, ScoredSample, SecondOpinion } from '@stateeval/contracts'
import { type ItemNeed, opinionFlow, type OpinionOutcome, type SampleOutcome } from '@stateeval/flows'
import { addUsage, noUsage } from '@stateeval/models'
import type { Benchmark } from '@stateeval/program'
import { buildOpinionReport } from '@stateeval/score'
import { type ProjectArtifacts, type CacheHolder, isLong, type ThreadPool } from '@stateeval/service-kit'
import type { ItemFlow } from '@stateeval/workflow'
import {
  widenWindow,
  type ItemWindow,
  type EvaluationOwner,
  opinionStage,
  type OwnerStore,
  enterStage,
  loadOutcome,
  loadOutcomes,
  type ItemEnds,
  outcomesOf,
  type OutcomeReader,
  type StageStarter,
  bindThreadFlow,
  type QuestionTask,
} from '@stateeval/jobs'
import type { BenchmarkSets } from '@stateeval/sets'

/** Store of the places of failed samples. */
interface FailedPlaces extends CacheHolder {
  artifacts: ProjectArtifacts
}
/** The dependencies of the stage's beginning. */
export interface OpinionStage extends StageStarter, OutcomeReader {
  owners: OwnerStore
  artifacts: ProjectArtifacts
  window: ItemWindow
}
/** The sources of a question about a failed sample. */
export interface OpinionSources extends FailedPlaces, ItemEnds {
  benchmark(id: string): Benchmark
  sets: BenchmarkSets
  threads: ThreadPool
}

/** Begins the stage; returns false if there is no model or no failed sample. */
export async function beginOpinions(context: OpinionStage, owner: EvaluationOwner): Promise<boolean> {
  const { opinion } = owner
  if (!opinion) return false
  const failures = await outcomesOf(
    context,
    owner,
    'samples',
    ({ scored }: SampleOutcome) => scored.score?.passed === false,
  )
  const failedPlaces = failures.flatMap((isFailed, at) => (isFailed ? [at] : []))
  if (failedPlaces.length === 0) return false
  const window = widenWindow(context.window, 2 * (opinion.by.settings.concurrency ?? 8))
  const change = { opinion: { ...opinion, failed: await context.artifacts.putJson(failedPlaces) } }
  const next = { stage: opinionStage, total: failedPlaces.length, window }
  await enterStage(context, owner, next, change)
  return true
}

/** Places of the failed samples, in order: the n-th has the n-th opinion. */
const listFailedPlaces = async (context: FailedPlaces, { opinion }: EvaluationOwner) =>
  opinion?.failed === undefined
    ? []
    : context.cache(
        `failed/${opinion.failed}`,
        async () => (await context.artifacts.getJson(opinion.failed as string)) as number[],
      )

export async function createOpinionItem(
  context: OpinionSources,
  owner: EvaluationOwner,
  index: number,
): Promise<ItemFlow<ItemNeed>> {
  const { opinion, options, id } = owner
  const { threads } = context
  const { kind: benchmark, reporting: { opinions } = {} } = context.benchmark(owner.set.kind)
  const at = (await listFailedPlaces(context, owner))[index]
  if (!opinion || !opinions || at === undefined) throw new Error(`${id} has no failed sample ${index}`)
  const prompt = await context.cache(
    `prompt/${opinion.prompt}`,
    async () => (await context.artifacts.getJson(opinion.prompt)) as string,
  )
  const { scored, answer } = (await loadOutcome(context, {
    workflow: id,
    stage: 'samples',
    index: at,
  })) as SampleOutcome
  if (!scored.score) throw new Error(`the sample ${at} of ${id} was not scored`)
  const c = await context.sets.case(owner.benchmark, Math.floor(at / options.samples))
  const failure = { case: c, answer, score: scored.score, language: options.language ?? 'javascript' }
  const messages = isLong(answer)
    ? await threads.run<Message[]>('question', { benchmark, prompt, failure } satisfies QuestionTask)
    : opinions.ask(prompt, failure)
  const { by } = opinion
  return bindThreadFlow(
    threads,
    [opinionFlow, { by, messages, read: opinions.read }],
    ['opinion', { by, messages, benchmark }],
  )
}

/** The opinions, by position of the sample, and their usage. */
export async function loadOpinions(context: FailedPlaces & OutcomeReader, owner: EvaluationOwner) {
  const failedPlaces = await listFailedPlaces(context, owner)
  const outcomes = await outcomesOf<OpinionOutcome>(context, owner, opinionStage)
  const sum = (of: 'retries' | 'kept' | 'repeated') =>
    outcomes.reduce((total, outcome) => total + outcome[of], 0)
  return {
    opinions: new Map(outcomes.map(({ opinion }, n) => [failedPlaces[n] as number, opinion])),
    used: {
      usage: outcomes.map(({ usage }) => usage).reduce(addUsage, noUsage),
      retries: sum('retries'),
      kept: sum('kept'),
      repeated: sum('repeated'),
    },
  }
}

/** Adds opinions to the scores of a report, after all rates were computed without them. */
export function withOpinions(
  result: ReportResult,
  model: string,
  scored: readonly ScoredSample[],
  { opinions }: { opinions: ReadonlyMap<number, SecondOpinion> },
  causes: readonly string[],
): ReportResult {
  const key = ({ case: id, sample }: ScoredSample) => `${sample}/${id}`
  const byKey = new Map([...opinions].map(([at, opinion]) => [key(scored[at] as ScoredSample), opinion]))
  const samples = result.samples.map((one) => {
    const secondOpinion = byKey.get(key(one))
    return secondOpinion ? { ...one, secondOpinion } : one
  })
  return { ...result, samples, secondOpinion: buildOpinionReport(model, samples, causes) }
}

/** The available opinions of some samples, by position. */
export async function loadOpinionsOfSamples(
  context: FailedPlaces & ItemEnds,
  owner: EvaluationOwner,
  places: readonly number[],
): Promise<Map<number, SecondOpinion>> {
  const failedPlaces = await listFailedPlaces(context, owner)
  const placeSet = new Set(places)
  const items = failedPlaces.flatMap((at, index) =>
    placeSet.has(at) ? [{ at, item: { workflow: owner.id, stage: opinionStage, index } }] : [],
  )
  const opinions = new Map<number, SecondOpinion>()
  let n = 0
  for await (const one of loadOutcomes<OpinionOutcome>(
    context,
    items.map(({ item }) => item),
  )) {
    const at = items[n++]?.at
    if (one && at !== undefined) opinions.set(at, one.opinion)
  }
  return opinions
}
