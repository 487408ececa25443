/** The report of an evaluation: of all its samples if it succeeded, otherwise of the ended ones. */
import { hostname } from 'node:os'
import {
  type BenchmarkCase,
  canonicalJson,
  type EvaluationOptions,
  type ReportResult,
  type ReportRun,
  type ScoredSample,
  type Usage,
} from '@stateeval/contracts'
import { addCounts, listFrequentEndings, type SampleOutcome } from '@stateeval/flows'
import { addUsage, computeCostUsd, noUsage } from '@stateeval/models'
import type { Benchmark } from '@stateeval/program'
import type { ProjectArtifacts, CacheHolder } from '@stateeval/service-kit'
import {
  getModelName,
  getPrices,
  type EvaluationOwner,
  type OwnerStore,
  type OutcomeReader,
  outcomesOf,
  outcomesSoFar,
} from '@stateeval/jobs'
import { loadOpinions, withOpinions } from './opinions.ts'
import { type IndexSources, storeIndex } from '../samples/chunks.ts'
import type { BenchmarkSets } from '@stateeval/sets'

/** The dependencies of aggregating scores. */
export interface PartialSources extends OutcomeReader {
  benchmark(id: string): Benchmark
  sets: BenchmarkSets
}
/** Samples from which on their index is made with the report: of fewer it is made at the first look. */
const indexedWithReport = 2_000

/** The sources of a report, and its store. */
export interface ReportSources extends PartialSources, IndexSources, CacheHolder {
  owners: OwnerStore
  artifacts: ProjectArtifacts
}

/** Answers are long, and the report has none. */
const removeAnswer = ({ answer: _, ...rest }: SampleOutcome): ReportedOutcome => rest
type ReportedOutcome = Omit<SampleOutcome, 'answer'>

export const isTimeout = ({ score }: ScoredSample) => score?.verdict === 'timeout'

/** Ends an evaluation whose samples have all ended; the result is stored as an artifact. */
export async function finishReport(context: ReportSources, owner: EvaluationOwner): Promise<void> {
  const outcomes = await outcomesOf(context, owner, 'samples', removeAnswer)
  const scored = outcomes.map((outcome) => outcome.scored)
  const opinions = await loadOpinions(context, owner)
  const aggregated = await aggregate(context, owner, scored)
  const causes = context.benchmark(owner.set.kind).reporting?.opinions?.causes ?? []
  const result = owner.opinion
    ? withOpinions(aggregated, owner.opinion.by.name, scored, opinions, causes)
    : aggregated
  const { samples: _, ...figures } = result
  if (outcomes.length >= indexedWithReport) await storeIndex(context, owner)
  await context.owners.end(owner.id, {
    status: 'succeeded',
    ended: {
      result: await context.artifacts.put(Buffer.from(canonicalJson(result))),
      figures: await context.artifacts.putJson(figures),
      ...countVerdicts(scored),
      ...sumEffort(outcomes),
      ...(owner.opinion && { opinions: opinions.used }),
      cases: await context.artifacts.putJson(sumCaseUsage(owner, outcomes)),
      host: hostname(),
    },
  })
}

/** A report's result without its samples. */
export type ReportFigures = Omit<ReportResult, 'samples'>

/**
 * The figures of an evaluation that succeeded. Reads the whole result if the figures were not stored
 * separately.
 */
export async function loadFigures(
  { artifacts }: Pick<ReportSources, 'artifacts'>,
  { result, figures }: NonNullable<EvaluationOwner['ended']>,
): Promise<ReportFigures> {
  if (figures !== undefined) return (await artifacts.getJson(figures)) as ReportFigures
  const { samples: _, ...rest } = (await artifacts.getJson(result)) as ReportResult
  return rest
}

/** A report of an evaluation that has not succeeded: marked as partial, and never stored. */
export async function buildPartialReport(
  context: PartialSources,
  owner: EvaluationOwner,
): Promise<{
  result: ReportResult
  ended: Omit<NonNullable<EvaluationOwner['ended']>, 'result' | 'figures' | 'cases'>
  cases: UsedByCase
}> {
  const outcomes = await outcomesSoFar(context, owner, 'samples', removeAnswer)
  const scored = outcomes.map((outcome) => outcome.scored)
  const { options, ...rest } = await aggregate(context, owner, scored)
  const partial = {
    status: owner.status,
    ended: scored.length,
    samples: owner.set.cases * owner.options.samples,
  }
  return {
    result: { ...rest, options, partial },
    ended: { ...countVerdicts(scored), ...sumEffort(outcomes), host: hostname() },
    cases: sumCaseUsage(owner, outcomes),
  }
}

async function aggregate(
  context: PartialSources,
  owner: EvaluationOwner,
  scored: ScoredSample[],
): Promise<ReportResult> {
  const cases: BenchmarkCase[] = []
  for (let n = 0; n < owner.set.cases; n++) cases.push(await context.sets.case(owner.benchmark, n))
  const result = context.benchmark(owner.set.kind).aggregate(scored, cases, describeRun(owner))
  const unscored = scored.filter(({ score }) => score === null)
  return unscored.length === 0
    ? result
    : { ...result, notScoredByReason: addCounts(unscored.map(({ reason = 'unknown' }) => ({ [reason]: 1 }))) }
}

/** Describes benchmark, model and options; leaves out options that were not given. */
function describeRun({
  set,
  model,
  options,
}: EvaluationOwner): Pick<ReportResult, 'digest' | 'model' | 'options'> {
  const {
    mode,
    samples,
    prompting,
    language,
    policy,
    settings,
    setup,
    layout,
    seed,
    documentation = 'full',
    rounds,
    shots,
    timeLimit,
    limits,
  } = options satisfies EvaluationOptions
  return {
    digest: set.digest,
    model: getModelName(model),
    options: {
      ...(mode !== undefined && { mode }),
      samples,
      prompting,
      ...(language !== undefined && { language }),
      documentation,
      seed,
      ...(setup !== undefined && { setup }),
      ...(layout !== undefined && { layout }),
      ...(prompting === 'reflect' && { rounds }),
      ...(prompting === 'few-shot' && { shots }),
      ...(policy !== undefined && { policy }),
      ...(settings !== undefined && { settings }),
      ...(timeLimit !== undefined && { timeLimit }),
      ...(limits !== undefined && { limits }),
    },
  }
}

const countVerdicts = (scored: readonly ScoredSample[]) => ({
  scored: scored.filter(({ score }) => score !== null).length,
  passed: scored.filter(({ score }) => score?.passed).length,
  notScored: scored.filter(({ score }) => score === null).length,
  timeouts: scored.filter(isTimeout).length,
})

function sumEffort(outcomes: readonly ReportedOutcome[]) {
  const sum = (of: (outcome: ReportedOutcome) => number) =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0)
  const endings = listFrequentEndings(outcomes.map((outcome) => outcome.endings))
  return {
    retries: sum(({ retries }) => retries),
    runtimes: [...new Set(outcomes.flatMap(({ runtimes }) => runtimes))].sort(),
    sandboxes: addCounts(outcomes.map(({ sandboxes }) => sandboxes)),
    ...(outcomes.some(({ canaries }) => canaries) && {
      canaries: addCounts(outcomes.map(({ canaries }) => canaries)),
    }),
    ...(outcomes.some(({ tensorProviders }) => tensorProviders) && {
      tensorProviders: addCounts(outcomes.map(({ tensorProviders }) => tensorProviders)),
    }),
    ...sumPartyUsage(outcomes),
    usage: outcomes.map(({ usage }) => usage).reduce(addUsage, noUsage),
    kept: sum(({ kept = 0 }) => kept),
    repeated: sum(({ repeated = 0 }) => repeated),
    cut: sum(({ cut = 0 }) => cut),
    ...(endings.length > 0 && { endings }),
  }
}

/** Sums the usage of the models that play further parts, by part; nothing where there are none. */
function sumPartyUsage(outcomes: readonly ReportedOutcome[]): { parties?: Record<string, Usage> } {
  const sums: Record<string, Usage> = {}
  for (const { parties = {} } of outcomes)
    for (const [part, usage] of Object.entries(parties)) sums[part] = addUsage(sums[part] ?? noUsage, usage)
  return Object.keys(sums).length === 0 ? {} : { parties: sums }
}

type UsedByCase = NonNullable<ReportRun['cases']>

/** Sums the usage of each case, in the order of the set. */
function sumCaseUsage({ model }: EvaluationOwner, outcomes: readonly ReportedOutcome[]): UsedByCase {
  const byCase = Map.groupBy(outcomes, ({ scored }) => scored.case)
  return [...byCase].map(([name, ofCase]) => {
    const usage = ofCase.map((outcome) => outcome.usage).reduce(addUsage, noUsage)
    return { case: name, ...usage, costUsd: computeCostUsd(usage, getPrices(model)) }
  })
}
